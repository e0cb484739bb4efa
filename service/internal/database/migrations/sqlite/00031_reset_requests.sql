-- +goose Up

-- Requests for a new password that wait to be answered with an e-mail. The address
-- may belong to no account.
CREATE TABLE reset_request (
  id         TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
  email      TEXT NOT NULL CHECK (email <> ''),
  language   TEXT NOT NULL CHECK (language IN ('ar', 'en')), -- of the e-mail
  address    TEXT NOT NULL, -- of the caller, for the audit trail
  request    TEXT NOT NULL, -- of the caller, for the audit trail
  created_at INTEGER NOT NULL
) STRICT;
