-- +goose Up

-- Invoices that are not issued yet. What the recipient sees is computed when a
-- draft is shared, and is what the approval is of.
CREATE TABLE draft (
  org_id     TEXT    NOT NULL REFERENCES organisation (id),
  id         TEXT    NOT NULL CHECK (length(id) = 36),
  version    INTEGER NOT NULL CHECK (version > 0),
  request    TEXT    NOT NULL CHECK (json_valid(request)),
  recipient  TEXT    NOT NULL CHECK (json_valid(recipient)),
  shown      TEXT             CHECK (json_valid(shown)),
  xml        BLOB             CHECK (length(xml) > 0),
  approval   TEXT             CHECK (json_valid(approval)),
  invoice_id TEXT,
  created_by TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  removed    INTEGER NOT NULL CHECK (removed IN (0, 1)),
  CHECK ((shown IS NULL) = (xml IS NULL)),
  CHECK (approval IS NULL OR shown IS NOT NULL),
  CHECK (invoice_id IS NULL OR removed = 0),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;
CREATE INDEX draft_kept ON draft (org_id, id) WHERE removed = 0;

-- Links by which a draft is seen and approved without an account: found by a
-- digest. A draft has one that is not revoked.
CREATE TABLE draft_link (
  digest     BLOB    PRIMARY KEY CHECK (length(digest) = 32),
  org_id     TEXT    NOT NULL,
  draft_id   TEXT    NOT NULL,
  sealed     BLOB    NOT NULL CHECK (length(sealed) > 60),
  expires_at INTEGER NOT NULL,
  revoked    INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  FOREIGN KEY (org_id, draft_id) REFERENCES draft (org_id, id)
) STRICT;
CREATE UNIQUE INDEX draft_link_live ON draft_link (org_id, draft_id) WHERE revoked = 0;

-- The last code of a link, and how many there were.
CREATE TABLE draft_code (
  digest     BLOB    PRIMARY KEY REFERENCES draft_link (digest),
  org_id     TEXT    NOT NULL REFERENCES organisation (id),
  made       INTEGER NOT NULL CHECK (made BETWEEN 1 AND 20),
  sealed     BLOB    NOT NULL CHECK (length(sealed) > 60),
  version    INTEGER NOT NULL CHECK (version > 0),
  made_at    INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > made_at),
  tries      INTEGER NOT NULL CHECK (tries BETWEEN 0 AND 5)
) STRICT;

-- Letters to be sent. What one says is kept no longer than it is of use.
CREATE TABLE letter (
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
  CHECK ((state = 'queued') = (sealed IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
) STRICT;
CREATE INDEX letter_due ON letter (next_at) WHERE state = 'queued';
CREATE INDEX letter_end ON letter (expires_at) WHERE state = 'queued';
CREATE INDEX letter_of ON letter (org_id, id);

-- +goose StatementBegin
CREATE TRIGGER draft_keeps_its_word BEFORE UPDATE ON draft
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id OR OLD.created_by IS NOT NEW.created_by OR OLD.created_at IS NOT NEW.created_at
  OR NEW.version < OLD.version OR (OLD.removed = 1 AND NEW.removed = 0)
  OR (OLD.invoice_id IS NOT NULL AND OLD.invoice_id IS NOT NEW.invoice_id)
  OR ((OLD.approval IS NOT NULL OR OLD.invoice_id IS NOT NULL) AND (OLD.approval IS NOT NEW.approval OR OLD.version IS NOT NEW.version
    OR OLD.request IS NOT NEW.request OR OLD.recipient IS NOT NEW.recipient OR OLD.shown IS NOT NEW.shown OR OLD.xml IS NOT NEW.xml))
BEGIN SELECT RAISE(ABORT, 'an approved or issued draft never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER draft_stays BEFORE DELETE ON draft
BEGIN SELECT RAISE(ABORT, 'a draft is removed and never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER share_only_ends BEFORE UPDATE ON share
WHEN OLD.digest IS NOT NEW.digest OR OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id OR OLD.expires_at IS NOT NEW.expires_at
  OR NEW.revoked < OLD.revoked
BEGIN SELECT RAISE(ABORT, 'a link never lives again'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER draft_link_only_ends BEFORE UPDATE ON draft_link
WHEN OLD.digest IS NOT NEW.digest OR OLD.org_id IS NOT NEW.org_id OR OLD.draft_id IS NOT NEW.draft_id OR OLD.expires_at IS NOT NEW.expires_at
  OR NEW.revoked < OLD.revoked
BEGIN SELECT RAISE(ABORT, 'a link never lives again'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER draft_link_stays BEFORE DELETE ON draft_link
BEGIN SELECT RAISE(ABORT, 'a link never lives again'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER draft_code_counts BEFORE UPDATE ON draft_code
WHEN OLD.digest IS NOT NEW.digest OR OLD.org_id IS NOT NEW.org_id OR NEW.made < OLD.made OR NEW.version < OLD.version
  OR (NEW.made = OLD.made AND (NEW.tries < OLD.tries OR OLD.version IS NOT NEW.version OR OLD.made_at IS NOT NEW.made_at OR OLD.expires_at IS NOT NEW.expires_at))
BEGIN SELECT RAISE(ABORT, 'the tries of a code and the codes of a link are only added to'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER draft_code_stays BEFORE DELETE ON draft_code
BEGIN SELECT RAISE(ABORT, 'the tries of a code and the codes of a link are only added to'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER letter_ends_once BEFORE UPDATE ON letter
WHEN OLD.id IS NOT NEW.id OR OLD.org_id IS NOT NEW.org_id OR OLD.recipient IS NOT NEW.recipient OR OLD.created_at IS NOT NEW.created_at
  OR OLD.expires_at IS NOT NEW.expires_at OR NEW.attempts < OLD.attempts OR OLD.state <> 'queued'
BEGIN SELECT RAISE(ABORT, 'a letter ends once'); END;
-- +goose StatementEnd
