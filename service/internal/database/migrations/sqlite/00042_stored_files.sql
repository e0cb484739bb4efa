-- +goose Up

-- With SQLite there is one server, which stores uploaded files in its data folder or in
-- S3.
SELECT 1;
