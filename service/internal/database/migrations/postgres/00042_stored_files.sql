-- +goose Up

-- Pictures and other files that people upload, if servers run with --blob postgres. A
-- file is divided into parts, so that reading and writing it needs little memory.
CREATE TABLE stored_file (
  key    TEXT   PRIMARY KEY CHECK (key <> ''), -- begins with org/ and the organisation
  size   BIGINT NOT NULL CHECK (size >= 0),
  sha256 BYTEA  NOT NULL CHECK (octet_length(sha256) = 32)
);
CREATE TABLE stored_file_part (
  key     TEXT   NOT NULL REFERENCES stored_file ON DELETE CASCADE,
  part    BIGINT NOT NULL CHECK (part >= 0),
  content BYTEA  NOT NULL CHECK (octet_length(content) > 0),
  PRIMARY KEY (key, part)
);
-- Pictures are compressed already.
ALTER TABLE stored_file_part ALTER COLUMN content SET STORAGE EXTERNAL;
