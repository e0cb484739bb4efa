-- +goose Up

-- What this database is. The environment is written once, by the first server.
CREATE TABLE installation (
  one         INTEGER PRIMARY KEY CHECK (one = 1),
  id          TEXT    NOT NULL CHECK (length(id) = 36),
  environment TEXT             CHECK (environment IN ('simulator', 'sandbox', 'simulation', 'production')),
  master_key  TEXT             CHECK (length(master_key) = 16), -- the id of the key that secrets were last moved to
  created_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE plan (
  slug        TEXT    PRIMARY KEY CHECK (slug <> ''),
  name        TEXT    NOT NULL CHECK (name <> ''),
  name_arabic TEXT    NOT NULL CHECK (name_arabic <> ''),
  invoices    INTEGER NOT NULL CHECK (invoices >= -1),
  writes      INTEGER NOT NULL CHECK (writes >= -1),
  api         INTEGER NOT NULL CHECK (api IN (0, 1)),
  position    INTEGER NOT NULL UNIQUE
) STRICT;

CREATE TABLE organisation (
  id                  TEXT    PRIMARY KEY CHECK (length(id) = 36),
  number              INTEGER NOT NULL UNIQUE CHECK (number > 0), -- the high bits of places
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
  created_at          INTEGER NOT NULL
) STRICT;

CREATE TABLE branch (
  org_id              TEXT    NOT NULL REFERENCES organisation (id),
  id                  TEXT    NOT NULL CHECK (length(id) = 36),
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
  created_at          INTEGER NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT;

CREATE TABLE person (
  id         TEXT    PRIMARY KEY CHECK (length(id) = 36),
  email      TEXT    NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),
  name       TEXT    NOT NULL,
  password   TEXT    NOT NULL, -- argon2id in its own notation; empty: none yet
  disabled   INTEGER NOT NULL CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE membership (
  org_id    TEXT NOT NULL REFERENCES organisation (id),
  person_id TEXT NOT NULL REFERENCES person (id),
  role      TEXT NOT NULL CHECK (role IN ('ViewInvoice', 'CreateInvoice', 'Accountant', 'Admin')),
  PRIMARY KEY (org_id, person_id)
) STRICT;
CREATE INDEX membership_person ON membership (person_id);

CREATE TABLE session (
  digest     BLOB    PRIMARY KEY CHECK (length(digest) = 32),
  person_id  TEXT    NOT NULL REFERENCES person (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_person ON session (person_id);
CREATE INDEX session_expiry ON session (expires_at);

CREATE TABLE api_key (
  name       TEXT    PRIMARY KEY CHECK (length(name) = 12 AND name LIKE 'svc\_%\_' ESCAPE '\'),
  id         TEXT    NOT NULL UNIQUE CHECK (length(id) = 36),
  org_id     TEXT    NOT NULL REFERENCES organisation (id),
  title      TEXT    NOT NULL CHECK (title <> ''),
  digest     BLOB    NOT NULL CHECK (length(digest) = 32),
  role       TEXT    NOT NULL CHECK (role IN ('ViewInvoice', 'CreateInvoice', 'Accountant')),
  scopes     TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT    NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_key_org ON api_key (org_id, id);

CREATE TABLE client (
  place               INTEGER PRIMARY KEY CHECK (place > 0),
  org_id              TEXT    NOT NULL REFERENCES organisation (id),
  id                  TEXT    NOT NULL CHECK (length(id) = 36),
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
  identifications     TEXT    NOT NULL CHECK (json_valid(identifications)),
  logo                TEXT    NOT NULL,
  folded              TEXT    NOT NULL,
  created_at          INTEGER NOT NULL,
  UNIQUE (org_id, id)
) STRICT;

CREATE TABLE item (
  place       INTEGER PRIMARY KEY CHECK (place > 0),
  org_id      TEXT    NOT NULL REFERENCES organisation (id),
  id          TEXT    NOT NULL CHECK (length(id) = 36),
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
  images      TEXT    NOT NULL CHECK (json_valid(images)),
  active      INTEGER NOT NULL CHECK (active IN (0, 1)),
  folded      TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  CHECK ((category = 'S') = (reason_code = '' AND reason_text = '')),
  UNIQUE (org_id, id)
) STRICT;

-- Search: the grams of each row's folded text, made by the program. A row's
-- place begins with its organisation's number and grows with time, so that the
-- rows of one organisation are a range and the newest come first.
CREATE VIRTUAL TABLE client_search USING fts5 (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
CREATE VIRTUAL TABLE item_search USING fts5 (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');

CREATE TABLE reason (
  org_id      TEXT    NOT NULL REFERENCES organisation (id),
  id          TEXT    NOT NULL CHECK (length(id) = 36),
  description TEXT    NOT NULL CHECK (description <> ''),
  active      INTEGER NOT NULL CHECK (active IN (0, 1)),
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT;

CREATE TABLE device (
  org_id                TEXT    NOT NULL REFERENCES organisation (id),
  id                    TEXT    NOT NULL CHECK (length(id) = 36),
  branch_id             TEXT,
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
  compliance_from       INTEGER,
  compliance_until      INTEGER,
  production_from       INTEGER,
  production_until      INTEGER,
  counter               INTEGER NOT NULL CHECK (counter >= 0),
  parked                INTEGER NOT NULL CHECK (parked IN (0, 1)),
  parked_why            TEXT    NOT NULL,
  created_at            INTEGER NOT NULL,
  CHECK ((compliance_from IS NULL) = (compliance_until IS NULL)),
  CHECK ((production_from IS NULL) = (production_until IS NULL)),
  CHECK (status <> 'pcsid_generated' OR production_until IS NOT NULL),
  UNIQUE (org_id, serial_number),
  FOREIGN KEY (org_id, branch_id) REFERENCES branch (org_id, id),
  PRIMARY KEY (org_id, id)
) STRICT;

-- Secrets stand apart from what they belong to, each sealed by the vault.
CREATE TABLE secret (
  org_id  TEXT NOT NULL REFERENCES organisation (id),
  purpose TEXT NOT NULL CHECK (purpose <> ''),
  owner   TEXT NOT NULL CHECK (owner <> ''),
  sealed  BLOB NOT NULL CHECK (length(sealed) > 60),
  PRIMARY KEY (org_id, purpose, owner)
) STRICT;

-- How many rows an organisation has of a kind, so that lists need not count.
CREATE TABLE tally (
  org_id TEXT    NOT NULL REFERENCES organisation (id),
  what   TEXT    NOT NULL CHECK (what <> ''),
  n      INTEGER NOT NULL CHECK (n >= 0),
  PRIMARY KEY (org_id, what)
) STRICT;

CREATE TABLE usage (
  org_id      TEXT    NOT NULL REFERENCES organisation (id),
  month       TEXT    NOT NULL CHECK (month LIKE '____-__-01'),
  invoices    INTEGER NOT NULL CHECK (invoices >= 0),
  validations INTEGER NOT NULL CHECK (validations >= 0),
  PRIMARY KEY (org_id, month)
) STRICT;

CREATE TABLE fair_use (
  org_id TEXT    NOT NULL REFERENCES organisation (id),
  month  TEXT    NOT NULL CHECK (month LIKE '____-__-01'),
  writes INTEGER NOT NULL CHECK (writes >= 0),
  PRIMARY KEY (org_id, month)
) STRICT;

-- The audit trail. Link and hash are filled in once, by the sealer.
CREATE TABLE event (
  id      TEXT    PRIMARY KEY CHECK (length(id) = 36),
  org_id  TEXT             REFERENCES organisation (id),
  at      INTEGER NOT NULL,
  kind    TEXT    NOT NULL CHECK (kind IN ('key', 'person', 'operator', 'system')),
  actor   TEXT    NOT NULL,
  address TEXT    NOT NULL,
  request TEXT    NOT NULL,
  action  TEXT    NOT NULL CHECK (action <> ''),
  subject TEXT    NOT NULL,
  details TEXT    NOT NULL CHECK (json_valid(details)),
  link    INTEGER UNIQUE CHECK (link > 0),
  hash    BLOB    CHECK (length(hash) = 32),
  CHECK ((link IS NULL) = (hash IS NULL))
) STRICT;
CREATE INDEX event_org ON event (org_id, id);
CREATE INDEX event_unsealed ON event (id) WHERE link IS NULL;

-- +goose StatementBegin
CREATE TRIGGER installation_is_stamped_once BEFORE UPDATE ON installation
WHEN OLD.id IS NOT NEW.id OR (OLD.environment IS NOT NULL AND OLD.environment IS NOT NEW.environment)
BEGIN SELECT RAISE(ABORT, 'an installation keeps its id and its environment'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER installation_stays BEFORE DELETE ON installation
BEGIN SELECT RAISE(ABORT, 'an installation keeps its id and its environment'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER api_key_changes_only_by_revocation BEFORE UPDATE ON api_key
WHEN OLD.name IS NOT NEW.name OR OLD.id IS NOT NEW.id OR OLD.org_id IS NOT NEW.org_id OR OLD.title IS NOT NEW.title
  OR OLD.digest IS NOT NEW.digest OR OLD.role IS NOT NEW.role OR OLD.scopes IS NOT NEW.scopes
  OR OLD.created_at IS NOT NEW.created_at OR OLD.created_by IS NOT NEW.created_by
  OR (OLD.revoked_at IS NOT NULL AND OLD.revoked_at IS NOT NEW.revoked_at)
BEGIN SELECT RAISE(ABORT, 'a key changes only by being revoked, once'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER api_key_stays BEFORE DELETE ON api_key
BEGIN SELECT RAISE(ABORT, 'a key changes only by being revoked, once'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER device_chain_goes_forward BEFORE UPDATE ON device
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id OR OLD.environment IS NOT NEW.environment
  OR OLD.serial_number IS NOT NEW.serial_number OR NEW.counter < OLD.counter
BEGIN SELECT RAISE(ABORT, 'a device keeps its environment and its counter never goes back'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER device_stays BEFORE DELETE ON device
BEGIN SELECT RAISE(ABORT, 'a device keeps its environment and its counter never goes back'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_is_sealed_once BEFORE UPDATE ON event
WHEN OLD.link IS NOT NULL OR NEW.link IS NULL OR OLD.id IS NOT NEW.id OR OLD.org_id IS NOT NEW.org_id
  OR OLD.at IS NOT NEW.at OR OLD.kind IS NOT NEW.kind OR OLD.actor IS NOT NEW.actor OR OLD.address IS NOT NEW.address
  OR OLD.request IS NOT NEW.request OR OLD.action IS NOT NEW.action OR OLD.subject IS NOT NEW.subject
  OR OLD.details IS NOT NEW.details
BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_stays BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;
-- +goose StatementEnd
