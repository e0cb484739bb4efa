-- +goose Up

-- Secret links that work once: set-up, sign-up, invitation, new password, sign-in.
CREATE TABLE access_link (
  digest     BYTEA   PRIMARY KEY CHECK (length(digest) = 32), -- SHA-256 of the token, which is not stored
  id         UUID    NOT NULL,
  purpose    TEXT    NOT NULL CHECK (purpose IN ('setup', 'signup', 'invitation', 'password', 'sign_in')),
  org_id     UUID    REFERENCES organisation (id), -- of an invitation
  person_id  UUID    REFERENCES person (id),       -- whose password, or who signs in
  email      TEXT    NOT NULL,                     -- '' for set-up
  role       TEXT    NOT NULL CHECK (role IN ('', 'ViewInvoice', 'CreateInvoice', 'Accountant', 'Admin')),
  created_by TEXT    NOT NULL,
  created_at BIGINT  NOT NULL,
  expires_at BIGINT  NOT NULL CHECK (expires_at > created_at),
  used_at    BIGINT,
  revoked_at BIGINT,
  CHECK (used_at IS NULL OR revoked_at IS NULL),
  CHECK ((purpose = 'invitation') = (role <> '')),
  CHECK ((purpose = 'invitation') = (org_id IS NOT NULL)),
  CHECK ((purpose IN ('password', 'sign_in')) = (person_id IS NOT NULL))
);
CREATE UNIQUE INDEX access_link_id ON access_link (id);
-- At most one link for the same thing works at a time.
CREATE UNIQUE INDEX access_link_setup ON access_link (purpose) WHERE purpose = 'setup' AND used_at IS NULL AND revoked_at IS NULL;
CREATE UNIQUE INDEX access_link_invitation ON access_link (org_id, email) WHERE purpose = 'invitation' AND used_at IS NULL AND revoked_at IS NULL;
CREATE UNIQUE INDEX access_link_person ON access_link (person_id, purpose) WHERE person_id IS NOT NULL AND used_at IS NULL AND revoked_at IS NULL;

-- +goose StatementBegin
CREATE FUNCTION access_link_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.digest IS DISTINCT FROM NEW.digest OR OLD.id IS DISTINCT FROM NEW.id OR OLD.purpose IS DISTINCT FROM NEW.purpose OR OLD.org_id IS DISTINCT FROM NEW.org_id
  OR OLD.person_id IS DISTINCT FROM NEW.person_id OR OLD.email IS DISTINCT FROM NEW.email OR OLD.role IS DISTINCT FROM NEW.role OR OLD.created_by IS DISTINCT FROM NEW.created_by
  OR OLD.created_at IS DISTINCT FROM NEW.created_at OR OLD.expires_at IS DISTINCT FROM NEW.expires_at OR OLD.used_at IS NOT NULL OR OLD.revoked_at IS NOT NULL THEN
    RAISE EXCEPTION 'an access link ends once';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER access_link_ends_once BEFORE UPDATE ON access_link FOR EACH ROW EXECUTE FUNCTION access_link_ends_once();

-- An e-mail about an account belongs to no organisation. It ends with its link.
ALTER TABLE letter ALTER COLUMN org_id DROP NOT NULL;
ALTER TABLE letter ADD COLUMN link_id UUID REFERENCES access_link (id);
ALTER TABLE letter ADD CHECK (org_id IS NOT NULL OR link_id IS NOT NULL);
CREATE INDEX letter_link ON letter (link_id) WHERE state = 'queued';

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION letter_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.id IS DISTINCT FROM NEW.id OR OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.draft_id IS DISTINCT FROM NEW.draft_id OR OLD.link_id IS DISTINCT FROM NEW.link_id OR OLD.recipient IS DISTINCT FROM NEW.recipient
  OR OLD.created_at IS DISTINCT FROM NEW.created_at OR OLD.expires_at IS DISTINCT FROM NEW.expires_at OR NEW.attempts < OLD.attempts OR OLD.state <> 'queued' THEN
    RAISE EXCEPTION 'a letter ends once';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
