-- +goose Up

-- Synchronous replication that was in force when a server last looked. A standby that
-- is promoted then has every document that was acknowledged. Null if there was none.
ALTER TABLE continuity ADD COLUMN synchronous TEXT CHECK (synchronous::json IS NOT NULL OR synchronous IS NULL);
