-- +goose Up

-- The answer of a recipient who declined a draft.
ALTER TABLE draft ADD COLUMN decline TEXT CHECK (json_valid(decline));
