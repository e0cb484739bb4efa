-- +goose Up

-- Only PostgreSQL has TRUNCATE.
SELECT 1;
