-- +goose Up

-- The answer of a recipient who declined a draft.
ALTER TABLE draft ADD COLUMN decline TEXT CHECK (decline IS NULL OR decline::json IS NOT NULL);
