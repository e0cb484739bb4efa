-- +goose Up

-- Secret links that work once: set-up, sign-up, invitation, new password, sign-in.
CREATE TABLE access_link (
  digest     BLOB    PRIMARY KEY CHECK (length(digest) = 32), -- SHA-256 of the token, which is not stored
  id         TEXT    NOT NULL CHECK (length(id) = 36),
  purpose    TEXT    NOT NULL CHECK (purpose IN ('setup', 'signup', 'invitation', 'password', 'sign_in')),
  org_id     TEXT    REFERENCES organisation (id), -- of an invitation
  person_id  TEXT    REFERENCES person (id),       -- whose password, or who signs in
  email      TEXT    NOT NULL,                     -- '' for set-up
  role       TEXT    NOT NULL CHECK (role IN ('', 'ViewInvoice', 'CreateInvoice', 'Accountant', 'Admin')),
  created_by TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at),
  used_at    INTEGER,
  revoked_at INTEGER,
  CHECK (used_at IS NULL OR revoked_at IS NULL),
  CHECK ((purpose = 'invitation') = (role <> '')),
  CHECK ((purpose = 'invitation') = (org_id IS NOT NULL)),
  CHECK ((purpose IN ('password', 'sign_in')) = (person_id IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX access_link_id ON access_link (id);
-- At most one link for the same thing works at a time.
CREATE UNIQUE INDEX access_link_setup ON access_link (purpose) WHERE purpose = 'setup' AND used_at IS NULL AND revoked_at IS NULL;
CREATE UNIQUE INDEX access_link_invitation ON access_link (org_id, email) WHERE purpose = 'invitation' AND used_at IS NULL AND revoked_at IS NULL;
CREATE UNIQUE INDEX access_link_person ON access_link (person_id, purpose) WHERE person_id IS NOT NULL AND used_at IS NULL AND revoked_at IS NULL;

-- +goose StatementBegin
CREATE TRIGGER access_link_ends_once BEFORE UPDATE ON access_link
WHEN OLD.digest IS NOT NEW.digest OR OLD.id IS NOT NEW.id OR OLD.purpose IS NOT NEW.purpose OR OLD.org_id IS NOT NEW.org_id
  OR OLD.person_id IS NOT NEW.person_id OR OLD.email IS NOT NEW.email OR OLD.role IS NOT NEW.role OR OLD.created_by IS NOT NEW.created_by
  OR OLD.created_at IS NOT NEW.created_at OR OLD.expires_at IS NOT NEW.expires_at OR OLD.used_at IS NOT NULL OR OLD.revoked_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'an access link ends once'); END;
-- +goose StatementEnd

-- An e-mail about an account belongs to no organisation. It ends with its link.
-- A column cannot become nullable here: the table is written anew.
CREATE TABLE letter_anew (
  id          TEXT    PRIMARY KEY CHECK (length(id) = 36),
  org_id      TEXT             REFERENCES organisation (id),
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
  link_id     TEXT             REFERENCES access_link (id),
  CHECK ((state = 'queued') = (sealed IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
  CHECK (org_id IS NOT NULL OR link_id IS NOT NULL),
  FOREIGN KEY (org_id, draft_id) REFERENCES draft (org_id, id)
) STRICT;
INSERT INTO letter_anew (id, org_id, recipient, language, about, sealed, created_at, expires_at, state, attempts, next_at, lease_until, sent_at, problem, draft_id)
SELECT id, org_id, recipient, language, about, sealed, created_at, expires_at, state, attempts, next_at, lease_until, sent_at, problem, draft_id FROM letter;
DROP TABLE letter;
ALTER TABLE letter_anew RENAME TO letter;
CREATE INDEX letter_due ON letter (next_at) WHERE state = 'queued';
CREATE INDEX letter_end ON letter (expires_at) WHERE state = 'queued';
CREATE INDEX letter_of ON letter (org_id, id);
CREATE INDEX letter_about ON letter (org_id, draft_id) WHERE state = 'queued';
CREATE INDEX letter_link ON letter (link_id) WHERE state = 'queued';

-- +goose StatementBegin
CREATE TRIGGER letter_ends_once BEFORE UPDATE ON letter
WHEN OLD.id IS NOT NEW.id OR OLD.org_id IS NOT NEW.org_id OR OLD.draft_id IS NOT NEW.draft_id OR OLD.link_id IS NOT NEW.link_id OR OLD.recipient IS NOT NEW.recipient
  OR OLD.created_at IS NOT NEW.created_at OR OLD.expires_at IS NOT NEW.expires_at OR NEW.attempts < OLD.attempts OR OLD.state <> 'queued'
BEGIN SELECT RAISE(ABORT, 'a letter ends once'); END;
-- +goose StatementEnd
