-- +goose Up

-- Whether new devices can belong to the branch.
ALTER TABLE branch ADD COLUMN active BIGINT NOT NULL DEFAULT 1 CHECK (active IN (0, 1));
