-- +goose Up

-- Since when every document has waited for the archive before it was acknowledged. Null
-- if this is not known, or if a server does not wait.
ALTER TABLE archive ADD COLUMN complete_since INTEGER;
-- Number of the last note in the archive about this.
ALTER TABLE archive ADD COLUMN note INTEGER NOT NULL DEFAULT 0;
-- When a server that does not wait was last active.
ALTER TABLE archive ADD COLUMN unawaited_at INTEGER NOT NULL DEFAULT 0;
