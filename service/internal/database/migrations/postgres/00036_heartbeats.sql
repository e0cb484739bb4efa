-- +goose Up

-- The last heartbeats that servers with this database wrote to its archive. A copy of
-- the database differs from it as soon as one of them writes another heartbeat.
CREATE TABLE heartbeat (
  server TEXT PRIMARY KEY CHECK (server <> ''),
  number BIGINT NOT NULL CHECK (number >= 1),
  token  TEXT NOT NULL CHECK (token <> '')
);
