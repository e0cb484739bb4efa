-- +goose Up

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- What this database is. The environment is written once, by the first server.
CREATE TABLE installation (
  one         BIGINT PRIMARY KEY CHECK (one = 1),
  id          UUID    NOT NULL,
  environment TEXT             CHECK (environment IN ('simulator', 'sandbox', 'simulation', 'production')),
  master_key  TEXT             CHECK (length(master_key) = 16), -- the id of the key that secrets were last moved to
  created_at  BIGINT NOT NULL
);

CREATE TABLE plan (
  slug        TEXT    PRIMARY KEY CHECK (slug <> ''),
  name        TEXT    NOT NULL CHECK (name <> ''),
  name_arabic TEXT    NOT NULL CHECK (name_arabic <> ''),
  invoices    BIGINT NOT NULL CHECK (invoices >= -1),
  writes      BIGINT NOT NULL CHECK (writes >= -1),
  api         BIGINT NOT NULL CHECK (api IN (0, 1)),
  position    BIGINT NOT NULL UNIQUE
);

CREATE TABLE organisation (
  id                  UUID    PRIMARY KEY,
  number              BIGINT  NOT NULL UNIQUE CHECK (number > 0), -- the high bits of places
  name                TEXT    NOT NULL CHECK (name <> ''),
  name_arabic         TEXT    NOT NULL,
  vat_number          TEXT    NOT NULL CHECK (length(vat_number) = 15),
  id_type             TEXT    NOT NULL,
  id_value            TEXT    NOT NULL,
  street              TEXT    NOT NULL,
  additional_street   TEXT    NOT NULL,
  building_number     TEXT    NOT NULL,
  plot_identification TEXT    NOT NULL,
  district            TEXT    NOT NULL,
  city                TEXT    NOT NULL,
  province_state      TEXT    NOT NULL,
  postal_code         TEXT    NOT NULL,
  country_code        TEXT    NOT NULL CHECK (country_code = 'SA'),
  logo                TEXT    NOT NULL,
  status              TEXT    NOT NULL CHECK (status IN ('active', 'suspended', 'deactivated')),
  plan                TEXT    NOT NULL REFERENCES plan (slug),
  created_at          BIGINT NOT NULL
);

CREATE TABLE branch (
  org_id              UUID    NOT NULL REFERENCES organisation (id),
  id                  UUID    NOT NULL,
  name                TEXT    NOT NULL CHECK (name <> ''),
  id_type             TEXT    NOT NULL,
  id_value            TEXT    NOT NULL,
  street              TEXT    NOT NULL,
  additional_street   TEXT    NOT NULL,
  building_number     TEXT    NOT NULL,
  plot_identification TEXT    NOT NULL,
  district            TEXT    NOT NULL,
  city                TEXT    NOT NULL,
  province_state      TEXT    NOT NULL,
  postal_code         TEXT    NOT NULL,
  country_code        TEXT    NOT NULL CHECK (country_code = 'SA'),
  created_at          BIGINT NOT NULL,
  PRIMARY KEY (org_id, id)
);

CREATE TABLE person (
  id         UUID    PRIMARY KEY,
  email      TEXT    NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),
  name       TEXT    NOT NULL,
  password   TEXT    NOT NULL, -- argon2id in its own notation; empty: none yet
  disabled   BIGINT NOT NULL CHECK (disabled IN (0, 1)),
  created_at BIGINT NOT NULL
);

CREATE TABLE membership (
  org_id    UUID NOT NULL REFERENCES organisation (id),
  person_id UUID NOT NULL REFERENCES person (id),
  role      TEXT NOT NULL CHECK (role IN ('ViewInvoice', 'CreateInvoice', 'Accountant', 'Admin')),
  PRIMARY KEY (org_id, person_id)
);
CREATE INDEX membership_person ON membership (person_id);

CREATE TABLE session (
  digest     BYTEA    PRIMARY KEY CHECK (length(digest) = 32),
  person_id  UUID    NOT NULL REFERENCES person (id),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX session_person ON session (person_id);
CREATE INDEX session_expiry ON session (expires_at);

CREATE TABLE api_key (
  name       TEXT    PRIMARY KEY CHECK (length(name) = 12 AND name LIKE 'svc\_%\_' ESCAPE '\'),
  id         UUID    NOT NULL UNIQUE,
  org_id     UUID    NOT NULL REFERENCES organisation (id),
  title      TEXT    NOT NULL CHECK (title <> ''),
  digest     BYTEA    NOT NULL CHECK (length(digest) = 32),
  role       TEXT    NOT NULL CHECK (role IN ('ViewInvoice', 'CreateInvoice', 'Accountant')),
  scopes     TEXT    NOT NULL,
  created_at BIGINT NOT NULL,
  created_by TEXT    NOT NULL,
  revoked_at BIGINT
);
CREATE INDEX api_key_org ON api_key (org_id, id);

CREATE TABLE client (
  place               BIGINT  PRIMARY KEY CHECK (place > 0),
  org_id              UUID    NOT NULL REFERENCES organisation (id),
  id                  UUID    NOT NULL,
  name                TEXT    NOT NULL CHECK (name <> ''),
  name_arabic         TEXT    NOT NULL,
  vat_number          TEXT    NOT NULL CHECK (length(vat_number) IN (0, 15)),
  business_type       TEXT    NOT NULL,
  industry            TEXT    NOT NULL,
  street              TEXT    NOT NULL,
  additional_street   TEXT    NOT NULL,
  building_number     TEXT    NOT NULL,
  plot_identification TEXT    NOT NULL,
  district            TEXT    NOT NULL,
  city                TEXT    NOT NULL,
  province_state      TEXT    NOT NULL,
  postal_code         TEXT    NOT NULL,
  country_code        TEXT    NOT NULL CHECK (length(country_code) = 2),
  contact_name        TEXT    NOT NULL,
  contact_email       TEXT    NOT NULL,
  contact_phone       TEXT    NOT NULL,
  identifications     TEXT    NOT NULL CHECK (identifications::json IS NOT NULL),
  logo                TEXT    NOT NULL,
  folded              TEXT    NOT NULL,
  created_at          BIGINT NOT NULL,
  UNIQUE (org_id, id)
);

CREATE TABLE item (
  place       BIGINT  PRIMARY KEY CHECK (place > 0),
  org_id      UUID    NOT NULL REFERENCES organisation (id),
  id          UUID    NOT NULL,
  name        TEXT    NOT NULL CHECK (length(name) BETWEEN 4 AND 50),
  name_arabic TEXT    NOT NULL,
  description TEXT    NOT NULL,
  price       TEXT    NOT NULL CHECK (price NOT LIKE '-%'),
  unit        TEXT    NOT NULL CHECK (unit <> ''),
  category    TEXT    NOT NULL CHECK (category IN ('S', 'Z', 'E', 'O')),
  rate        TEXT    NOT NULL,
  reason_code TEXT    NOT NULL,
  reason_text TEXT    NOT NULL,
  stock       TEXT             CHECK (stock NOT LIKE '-%'),
  images      TEXT    NOT NULL CHECK (images::json IS NOT NULL),
  active      BIGINT NOT NULL CHECK (active IN (0, 1)),
  folded      TEXT    NOT NULL,
  created_at  BIGINT NOT NULL,
  CHECK ((category = 'S') = (reason_code = '' AND reason_text = '')),
  UNIQUE (org_id, id)
);

-- Search: trigrams of the folded text within blocks of places. A row's place
-- begins with its organisation's number and grows with time, so that blocks are
-- asked one after the other, the newest first.
CREATE INDEX client_search ON client USING gin ((place >> 14), folded gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX item_search ON item USING gin ((place >> 14), folded gin_trgm_ops) WITH (fastupdate = off);

CREATE TABLE reason (
  org_id      UUID    NOT NULL REFERENCES organisation (id),
  id          UUID    NOT NULL,
  description TEXT    NOT NULL CHECK (description <> ''),
  active      BIGINT NOT NULL CHECK (active IN (0, 1)),
  created_at  BIGINT NOT NULL,
  PRIMARY KEY (org_id, id)
);

CREATE TABLE device (
  org_id                UUID    NOT NULL REFERENCES organisation (id),
  id                    UUID    NOT NULL,
  branch_id             UUID,
  environment           TEXT    NOT NULL CHECK (environment IN ('simulator', 'sandbox', 'simulation', 'production')),
  common_name           TEXT    NOT NULL CHECK (common_name <> ''),
  serial_number         TEXT    NOT NULL CHECK (serial_number <> ''),
  location              TEXT    NOT NULL,
  unit_name             TEXT    NOT NULL,
  industry              TEXT    NOT NULL,
  invoice_type          TEXT    NOT NULL CHECK (invoice_type IN ('1000', '0100', '1100')),
  status                TEXT    NOT NULL CHECK (status IN (
                          'csr_pending', 'csr_generated',
                          'ccsid_pending', 'ccsid_generated', 'ccsid_failed',
                          'sample_invoices_pending', 'sample_invoices_generated', 'sample_invoices_failed',
                          'AUTHORITY_Submission_Pending', 'AUTHORITY_Submission_Completed', 'AUTHORITY_Submission_Failed',
                          'pcsid_pending', 'pcsid_generated', 'pcsid_failed')),
  compliance_from       BIGINT,
  compliance_until      BIGINT,
  production_from       BIGINT,
  production_until      BIGINT,
  counter               BIGINT NOT NULL CHECK (counter >= 0),
  parked                BIGINT NOT NULL CHECK (parked IN (0, 1)),
  parked_why            TEXT    NOT NULL,
  created_at            BIGINT NOT NULL,
  CHECK ((compliance_from IS NULL) = (compliance_until IS NULL)),
  CHECK ((production_from IS NULL) = (production_until IS NULL)),
  CHECK (status <> 'pcsid_generated' OR production_until IS NOT NULL),
  UNIQUE (org_id, serial_number),
  FOREIGN KEY (org_id, branch_id) REFERENCES branch (org_id, id),
  PRIMARY KEY (org_id, id)
);

-- Secrets stand apart from what they belong to, each sealed by the vault.
CREATE TABLE secret (
  org_id  UUID NOT NULL REFERENCES organisation (id),
  purpose TEXT NOT NULL CHECK (purpose <> ''),
  owner   TEXT NOT NULL CHECK (owner <> ''),
  sealed  BYTEA NOT NULL CHECK (length(sealed) > 60),
  PRIMARY KEY (org_id, purpose, owner)
);

-- How many rows an organisation has of a kind, so that lists need not count.
CREATE TABLE tally (
  org_id UUID    NOT NULL REFERENCES organisation (id),
  what   TEXT    NOT NULL CHECK (what <> ''),
  n      BIGINT NOT NULL CHECK (n >= 0),
  PRIMARY KEY (org_id, what)
);

CREATE TABLE usage (
  org_id      UUID    NOT NULL REFERENCES organisation (id),
  month       TEXT    NOT NULL CHECK (month LIKE '____-__-01'),
  invoices    BIGINT NOT NULL CHECK (invoices >= 0),
  validations BIGINT NOT NULL CHECK (validations >= 0),
  PRIMARY KEY (org_id, month)
);

CREATE TABLE fair_use (
  org_id UUID    NOT NULL REFERENCES organisation (id),
  month  TEXT    NOT NULL CHECK (month LIKE '____-__-01'),
  writes BIGINT NOT NULL CHECK (writes >= 0),
  PRIMARY KEY (org_id, month)
);

-- The audit trail. Link and hash are filled in once, by the sealer.
CREATE TABLE event (
  id      UUID    PRIMARY KEY,
  org_id  UUID             REFERENCES organisation (id),
  at      BIGINT NOT NULL,
  kind    TEXT    NOT NULL CHECK (kind IN ('key', 'person', 'operator', 'system')),
  actor   TEXT    NOT NULL,
  address TEXT    NOT NULL,
  request TEXT    NOT NULL,
  action  TEXT    NOT NULL CHECK (action <> ''),
  subject TEXT    NOT NULL,
  details TEXT    NOT NULL CHECK (details::json IS NOT NULL),
  link    BIGINT UNIQUE CHECK (link > 0),
  hash    BYTEA    CHECK (length(hash) = 32),
  CHECK ((link IS NULL) = (hash IS NULL))
);
CREATE INDEX event_org ON event (org_id, id);
CREATE INDEX event_unsealed ON event (id) WHERE link IS NULL;

-- Rate windows of several processes. What a crash loses here is a minute's count.
CREATE UNLOGGED TABLE rate_window (
  subject TEXT   NOT NULL,
  starts  BIGINT NOT NULL,
  ends    BIGINT NOT NULL,
  n       BIGINT NOT NULL,
  PRIMARY KEY (subject, starts)
);
CREATE INDEX rate_window_end ON rate_window (ends);

-- +goose StatementBegin
CREATE FUNCTION installation_is_stamped_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.id IS DISTINCT FROM NEW.id OR (OLD.environment IS NOT NULL AND OLD.environment IS DISTINCT FROM NEW.environment) THEN
    RAISE EXCEPTION 'an installation keeps its id and its environment';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER installation_is_stamped_once BEFORE UPDATE ON installation FOR EACH ROW EXECUTE FUNCTION installation_is_stamped_once();
-- +goose StatementBegin
CREATE FUNCTION installation_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an installation keeps its id and its environment';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER installation_stays BEFORE DELETE ON installation FOR EACH ROW EXECUTE FUNCTION installation_stays();
-- +goose StatementBegin
CREATE FUNCTION api_key_changes_only_by_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.name, OLD.id, OLD.org_id, OLD.title, OLD.digest, OLD.role, OLD.scopes, OLD.created_at, OLD.created_by)
      IS DISTINCT FROM (NEW.name, NEW.id, NEW.org_id, NEW.title, NEW.digest, NEW.role, NEW.scopes, NEW.created_at, NEW.created_by)
    OR (OLD.revoked_at IS NOT NULL AND OLD.revoked_at IS DISTINCT FROM NEW.revoked_at) THEN
    RAISE EXCEPTION 'a key changes only by being revoked, once';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER api_key_changes_only_by_revocation BEFORE UPDATE ON api_key FOR EACH ROW EXECUTE FUNCTION api_key_changes_only_by_revocation();
-- +goose StatementBegin
CREATE FUNCTION api_key_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a key changes only by being revoked, once';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER api_key_stays BEFORE DELETE ON api_key FOR EACH ROW EXECUTE FUNCTION api_key_stays();
-- +goose StatementBegin
CREATE FUNCTION device_chain_goes_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.org_id, OLD.id, OLD.environment, OLD.serial_number)
      IS DISTINCT FROM (NEW.org_id, NEW.id, NEW.environment, NEW.serial_number)
    OR NEW.counter < OLD.counter THEN
    RAISE EXCEPTION 'a device keeps its environment and its counter never goes back';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER device_chain_goes_forward BEFORE UPDATE ON device FOR EACH ROW EXECUTE FUNCTION device_chain_goes_forward();
-- +goose StatementBegin
CREATE FUNCTION device_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a device keeps its environment and its counter never goes back';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER device_stays BEFORE DELETE ON device FOR EACH ROW EXECUTE FUNCTION device_stays();
-- +goose StatementBegin
CREATE FUNCTION event_is_sealed_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.link IS NOT NULL OR NEW.link IS NULL
    OR (OLD.id, OLD.org_id, OLD.at, OLD.kind, OLD.actor, OLD.address, OLD.request, OLD.action, OLD.subject, OLD.details)
      IS DISTINCT FROM (NEW.id, NEW.org_id, NEW.at, NEW.kind, NEW.actor, NEW.address, NEW.request, NEW.action, NEW.subject, NEW.details) THEN
    RAISE EXCEPTION 'the audit trail is only added to';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER event_is_sealed_once BEFORE UPDATE ON event FOR EACH ROW EXECUTE FUNCTION event_is_sealed_once();
-- +goose StatementBegin
CREATE FUNCTION event_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is only added to';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER event_stays BEFORE DELETE ON event FOR EACH ROW EXECUTE FUNCTION event_stays();
