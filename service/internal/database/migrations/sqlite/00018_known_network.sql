-- +goose Up

-- Networks from which a person has signed in, as a digest of e-mail address and
-- network. Wrong passwords from elsewhere do not lock the person out there.
CREATE TABLE known_network (
  digest    BLOB    PRIMARY KEY CHECK (length(digest) = 32),
  person_id TEXT    NOT NULL REFERENCES person (id),
  seen_at   INTEGER NOT NULL -- last successful sign-in
) STRICT;
CREATE INDEX known_network_person ON known_network (person_id, seen_at);
CREATE INDEX known_network_seen ON known_network (seen_at);
