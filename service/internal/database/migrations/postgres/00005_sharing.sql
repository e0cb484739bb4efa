-- +goose Up

-- Invoices that are not issued yet. What the recipient sees is computed when a
-- draft is shared, and is what the approval is of.
CREATE TABLE draft (
  org_id     UUID    NOT NULL REFERENCES organisation (id),
  id         UUID    NOT NULL,
  version    BIGINT  NOT NULL CHECK (version > 0),
  request    TEXT    NOT NULL CHECK (request::json IS NOT NULL),
  recipient  TEXT    NOT NULL CHECK (recipient::json IS NOT NULL),
  shown      TEXT             CHECK (shown IS NULL OR shown::json IS NOT NULL),
  xml        BYTEA            CHECK (length(xml) > 0),
  approval   TEXT             CHECK (approval IS NULL OR approval::json IS NOT NULL),
  invoice_id UUID,
  created_by TEXT    NOT NULL,
  created_at BIGINT  NOT NULL,
  changed_at BIGINT  NOT NULL,
  removed    BIGINT  NOT NULL CHECK (removed IN (0, 1)),
  CHECK ((shown IS NULL) = (xml IS NULL)),
  CHECK (approval IS NULL OR shown IS NOT NULL),
  CHECK (invoice_id IS NULL OR removed = 0),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
);
CREATE INDEX draft_kept ON draft (org_id, id) WHERE removed = 0;

-- Links by which a draft is seen and approved without an account: found by a
-- digest. A draft has one that is not revoked.
CREATE TABLE draft_link (
  digest     BYTEA   PRIMARY KEY CHECK (length(digest) = 32),
  org_id     UUID    NOT NULL,
  draft_id   UUID    NOT NULL,
  sealed     BYTEA   NOT NULL CHECK (length(sealed) > 60),
  expires_at BIGINT  NOT NULL,
  revoked    BIGINT  NOT NULL CHECK (revoked IN (0, 1)),
  FOREIGN KEY (org_id, draft_id) REFERENCES draft (org_id, id)
);
CREATE UNIQUE INDEX draft_link_live ON draft_link (org_id, draft_id) WHERE revoked = 0;

-- The last code of a link, and how many there were.
CREATE TABLE draft_code (
  digest     BYTEA   PRIMARY KEY REFERENCES draft_link (digest),
  org_id     UUID    NOT NULL REFERENCES organisation (id),
  made       BIGINT  NOT NULL CHECK (made BETWEEN 1 AND 20),
  sealed     BYTEA   NOT NULL CHECK (length(sealed) > 60),
  version    BIGINT  NOT NULL CHECK (version > 0),
  made_at    BIGINT  NOT NULL,
  expires_at BIGINT  NOT NULL CHECK (expires_at > made_at),
  tries      BIGINT  NOT NULL CHECK (tries BETWEEN 0 AND 5)
);

-- Letters to be sent. What one says is kept no longer than it is of use.
CREATE TABLE letter (
  id          UUID    PRIMARY KEY,
  org_id      UUID    NOT NULL REFERENCES organisation (id),
  recipient   TEXT    NOT NULL CHECK (recipient <> ''),
  language    TEXT    NOT NULL CHECK (language IN ('ar', 'en')),
  about       TEXT    NOT NULL CHECK (about <> ''),
  sealed      BYTEA            CHECK (length(sealed) > 60),
  created_at  BIGINT  NOT NULL,
  expires_at  BIGINT  NOT NULL CHECK (expires_at > created_at),
  state       TEXT    NOT NULL CHECK (state IN ('queued', 'sent', 'refused', 'expired')),
  attempts    BIGINT  NOT NULL CHECK (attempts >= 0),
  next_at     BIGINT  NOT NULL,
  lease_until BIGINT           CHECK (lease_until IS NULL OR state = 'queued'),
  sent_at     BIGINT,
  problem     TEXT    NOT NULL,
  CHECK ((state = 'queued') = (sealed IS NOT NULL)),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX letter_due ON letter (next_at) WHERE state = 'queued';
CREATE INDEX letter_end ON letter (expires_at) WHERE state = 'queued';
CREATE INDEX letter_of ON letter (org_id, id);

-- +goose StatementBegin
CREATE FUNCTION draft_keeps_its_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.id IS DISTINCT FROM NEW.id OR OLD.created_by IS DISTINCT FROM NEW.created_by OR OLD.created_at IS DISTINCT FROM NEW.created_at
  OR NEW.version < OLD.version OR (OLD.removed = 1 AND NEW.removed = 0)
  OR (OLD.invoice_id IS NOT NULL AND OLD.invoice_id IS DISTINCT FROM NEW.invoice_id)
  OR ((OLD.approval IS NOT NULL OR OLD.invoice_id IS NOT NULL) AND (OLD.approval IS DISTINCT FROM NEW.approval OR OLD.version IS DISTINCT FROM NEW.version
    OR OLD.request IS DISTINCT FROM NEW.request OR OLD.recipient IS DISTINCT FROM NEW.recipient OR OLD.shown IS DISTINCT FROM NEW.shown OR OLD.xml IS DISTINCT FROM NEW.xml)) THEN
    RAISE EXCEPTION 'an approved or issued draft never changes';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER draft_keeps_its_word BEFORE UPDATE ON draft FOR EACH ROW EXECUTE FUNCTION draft_keeps_its_word();
-- +goose StatementBegin
CREATE FUNCTION draft_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a draft is removed and never deleted';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER draft_stays BEFORE DELETE ON draft FOR EACH ROW EXECUTE FUNCTION draft_stays();
-- +goose StatementBegin
CREATE FUNCTION share_only_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.digest IS DISTINCT FROM NEW.digest OR OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.invoice_id IS DISTINCT FROM NEW.invoice_id OR OLD.expires_at IS DISTINCT FROM NEW.expires_at
  OR NEW.revoked < OLD.revoked THEN
    RAISE EXCEPTION 'a link never lives again';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER share_only_ends BEFORE UPDATE ON share FOR EACH ROW EXECUTE FUNCTION share_only_ends();
-- +goose StatementBegin
CREATE FUNCTION draft_link_only_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.digest IS DISTINCT FROM NEW.digest OR OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.draft_id IS DISTINCT FROM NEW.draft_id OR OLD.expires_at IS DISTINCT FROM NEW.expires_at
  OR NEW.revoked < OLD.revoked THEN
    RAISE EXCEPTION 'a link never lives again';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER draft_link_only_ends BEFORE UPDATE ON draft_link FOR EACH ROW EXECUTE FUNCTION draft_link_only_ends();
-- +goose StatementBegin
CREATE FUNCTION draft_link_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a link never lives again';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER draft_link_stays BEFORE DELETE ON draft_link FOR EACH ROW EXECUTE FUNCTION draft_link_stays();
-- +goose StatementBegin
CREATE FUNCTION draft_code_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.digest IS DISTINCT FROM NEW.digest OR OLD.org_id IS DISTINCT FROM NEW.org_id OR NEW.made < OLD.made OR NEW.version < OLD.version
  OR (NEW.made = OLD.made AND (NEW.tries < OLD.tries OR OLD.version IS DISTINCT FROM NEW.version OR OLD.made_at IS DISTINCT FROM NEW.made_at OR OLD.expires_at IS DISTINCT FROM NEW.expires_at)) THEN
    RAISE EXCEPTION 'the tries of a code and the codes of a link are only added to';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER draft_code_counts BEFORE UPDATE ON draft_code FOR EACH ROW EXECUTE FUNCTION draft_code_counts();
-- +goose StatementBegin
CREATE FUNCTION draft_code_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the tries of a code and the codes of a link are only added to';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER draft_code_stays BEFORE DELETE ON draft_code FOR EACH ROW EXECUTE FUNCTION draft_code_stays();
-- +goose StatementBegin
CREATE FUNCTION letter_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.id IS DISTINCT FROM NEW.id OR OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.recipient IS DISTINCT FROM NEW.recipient OR OLD.created_at IS DISTINCT FROM NEW.created_at
  OR OLD.expires_at IS DISTINCT FROM NEW.expires_at OR NEW.attempts < OLD.attempts OR OLD.state <> 'queued' THEN
    RAISE EXCEPTION 'a letter ends once';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER letter_ends_once BEFORE UPDATE ON letter FOR EACH ROW EXECUTE FUNCTION letter_ends_once();
