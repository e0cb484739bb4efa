-- +goose Up

-- Those that still wait were written before letters knew their draft: what
-- nobody is shown a draft for any more is not sent.
UPDATE letter SET state = 'expired', sealed = NULL, lease_until = NULL
WHERE state = 'queued' AND NOT EXISTS (
  SELECT 1
  FROM draft d
  JOIN draft_link l ON l.org_id = d.org_id AND l.draft_id = d.id AND l.revoked = 0
  WHERE d.org_id = letter.org_id AND d.removed = 0 AND json_extract(d.recipient, '$.email') = letter.recipient);

-- A letter knows the draft that it is about, and ends with its link. A key of
-- two columns cannot be added to a table here: it is written anew.
CREATE TABLE letter_anew (
  id          TEXT    PRIMARY KEY CHECK (length(id) = 36),
  org_id      TEXT    NOT NULL REFERENCES organisation (id),
  recipient   TEXT    NOT NULL CHECK (recipient <> ''),
  language    TEXT    NOT NULL CHECK (language IN ('ar', 'en')),
  about       TEXT    NOT NULL CHECK (about <> ''),
  sealed      BLOB             CHECK (length(sealed) > 60),
  created_at  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL CHECK (expires_at > created_at),
  state       TEXT    NOT NULL CHECK (state IN ('queued', 'sent', 'refused', 'expired')),
  attempts    INTEGER NOT NULL CHECK (attempts >= 0),
  next_at     INTEGER NOT NULL,
  lease_until INTEGER          CHECK (lease_until IS NULL OR state = 'queued'),
  sent_at     INTEGER,
  problem     TEXT    NOT NULL,
  draft_id    TEXT,
  CHECK ((state = 'queued') = (sealed IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  FOREIGN KEY (org_id, draft_id) REFERENCES draft (org_id, id)
) STRICT;
INSERT INTO letter_anew (id, org_id, recipient, language, about, sealed, created_at, expires_at, state, attempts, next_at, lease_until, sent_at, problem)
SELECT id, org_id, recipient, language, about, sealed, created_at, expires_at, state, attempts, next_at, lease_until, sent_at, problem FROM letter;
DROP TABLE letter;
ALTER TABLE letter_anew RENAME TO letter;
CREATE INDEX letter_due ON letter (next_at) WHERE state = 'queued';
CREATE INDEX letter_end ON letter (expires_at) WHERE state = 'queued';
CREATE INDEX letter_of ON letter (org_id, id);
CREATE INDEX letter_about ON letter (org_id, draft_id) WHERE state = 'queued';

-- +goose StatementBegin
CREATE TRIGGER letter_ends_once BEFORE UPDATE ON letter
WHEN OLD.id IS NOT NEW.id OR OLD.org_id IS NOT NEW.org_id OR OLD.draft_id IS NOT NEW.draft_id OR OLD.recipient IS NOT NEW.recipient
  OR OLD.created_at IS NOT NEW.created_at OR OLD.expires_at IS NOT NEW.expires_at OR NEW.attempts < OLD.attempts OR OLD.state <> 'queued'
BEGIN SELECT RAISE(ABORT, 'a letter ends once'); END;
-- +goose StatementEnd
