-- +goose Up

-- How far the servers of this database have written to the archive at this location, as
-- JSON: the epoch and its token, and the last batch of the last journal of each server.
-- Empty if this is not known. An archive that has less is older, or has lost its end.
ALTER TABLE archive ADD COLUMN reached TEXT NOT NULL DEFAULT '';
