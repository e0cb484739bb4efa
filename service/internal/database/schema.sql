-- The tables of a new database, as the migrations leave them. Written by make golden.

CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);

CREATE TABLE installation (
  one         INTEGER PRIMARY KEY CHECK (one = 1),
  id          TEXT    NOT NULL CHECK (length(id) = 36),
  environment TEXT             CHECK (environment IN ('simulator', 'sandbox', 'simulation', 'production')),
  master_key  TEXT             CHECK (length(master_key) = 16), -- the id of the key that secrets were last moved to
  created_at  INTEGER NOT NULL
, clock_accepted_at INTEGER) STRICT;

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
, settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings)), street_arabic TEXT NOT NULL DEFAULT '', additional_street_arabic TEXT NOT NULL DEFAULT '', district_arabic TEXT NOT NULL DEFAULT '', city_arabic TEXT NOT NULL DEFAULT '', province_state_arabic TEXT NOT NULL DEFAULT '') STRICT;

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
  created_at          INTEGER NOT NULL, street_arabic TEXT NOT NULL DEFAULT '', additional_street_arabic TEXT NOT NULL DEFAULT '', district_arabic TEXT NOT NULL DEFAULT '', city_arabic TEXT NOT NULL DEFAULT '', province_state_arabic TEXT NOT NULL DEFAULT '', active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
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
  created_at          INTEGER NOT NULL, street_arabic TEXT NOT NULL DEFAULT '', additional_street_arabic TEXT NOT NULL DEFAULT '', district_arabic TEXT NOT NULL DEFAULT '', city_arabic TEXT NOT NULL DEFAULT '', province_state_arabic TEXT NOT NULL DEFAULT '',
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
  created_at  INTEGER NOT NULL, sku TEXT NOT NULL DEFAULT '' CHECK (length(sku) <= 64), barcode TEXT NOT NULL DEFAULT '' CHECK (length(barcode) <= 64),
  CHECK ((category = 'S') = (reason_code = '' AND reason_text = '')),
  UNIQUE (org_id, id)
) STRICT;

CREATE VIRTUAL TABLE client_search USING fts5 (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');

CREATE VIRTUAL TABLE item_search USING fts5 (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');

CREATE TABLE reason (
  org_id      TEXT    NOT NULL REFERENCES organisation (id),
  id          TEXT    NOT NULL CHECK (length(id) = 36),
  description TEXT    NOT NULL CHECK (description <> ''),
  active      INTEGER NOT NULL CHECK (active IN (0, 1)),
  created_at  INTEGER NOT NULL, due_days INTEGER CHECK (due_days BETWEEN 0 AND 365),
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
  parked                INTEGER NOT NULL CHECK (parked IN (0, 1)),
  parked_why            TEXT    NOT NULL,
  created_at            INTEGER NOT NULL, token          TEXT    NOT NULL DEFAULT '', probe_at INTEGER, probes   INTEGER NOT NULL DEFAULT 0 CHECK (probes >= 0), retired_at INTEGER,
  CHECK ((compliance_from IS NULL) = (compliance_until IS NULL)),
  CHECK ((production_from IS NULL) = (production_until IS NULL)),
  CHECK (status <> 'pcsid_generated' OR production_until IS NOT NULL),
  UNIQUE (org_id, serial_number),
  FOREIGN KEY (org_id, branch_id) REFERENCES branch (org_id, id),
  PRIMARY KEY (org_id, id)
) STRICT;

CREATE TABLE secret (
  org_id  TEXT NOT NULL REFERENCES organisation (id),
  purpose TEXT NOT NULL CHECK (purpose <> ''),
  owner   TEXT NOT NULL CHECK (owner <> ''),
  sealed  BLOB NOT NULL CHECK (length(sealed) > 60),
  PRIMARY KEY (org_id, purpose, owner)
) STRICT;

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

CREATE TRIGGER installation_is_stamped_once BEFORE UPDATE ON installation
WHEN OLD.id IS NOT NEW.id OR (OLD.environment IS NOT NULL AND OLD.environment IS NOT NEW.environment)
BEGIN SELECT RAISE(ABORT, 'an installation keeps its id and its environment'); END;

CREATE TRIGGER installation_stays BEFORE DELETE ON installation
BEGIN SELECT RAISE(ABORT, 'an installation keeps its id and its environment'); END;

CREATE TRIGGER api_key_changes_only_by_revocation BEFORE UPDATE ON api_key
WHEN OLD.name IS NOT NEW.name OR OLD.id IS NOT NEW.id OR OLD.org_id IS NOT NEW.org_id OR OLD.title IS NOT NEW.title
  OR OLD.digest IS NOT NEW.digest OR OLD.role IS NOT NEW.role OR OLD.scopes IS NOT NEW.scopes
  OR OLD.created_at IS NOT NEW.created_at OR OLD.created_by IS NOT NEW.created_by
  OR (OLD.revoked_at IS NOT NULL AND OLD.revoked_at IS NOT NEW.revoked_at)
BEGIN SELECT RAISE(ABORT, 'a key changes only by being revoked, once'); END;

CREATE TRIGGER api_key_stays BEFORE DELETE ON api_key
BEGIN SELECT RAISE(ABORT, 'a key changes only by being revoked, once'); END;

CREATE TRIGGER event_is_sealed_once BEFORE UPDATE ON event
WHEN OLD.link IS NOT NULL OR NEW.link IS NULL OR OLD.id IS NOT NEW.id OR OLD.org_id IS NOT NEW.org_id
  OR OLD.at IS NOT NEW.at OR OLD.kind IS NOT NEW.kind OR OLD.actor IS NOT NEW.actor OR OLD.address IS NOT NEW.address
  OR OLD.request IS NOT NEW.request OR OLD.action IS NOT NEW.action OR OLD.subject IS NOT NEW.subject
  OR OLD.details IS NOT NEW.details
BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;

CREATE TRIGGER event_stays BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;

CREATE TABLE certificate (
  org_id    TEXT    NOT NULL,
  device_id TEXT    NOT NULL,
  token     TEXT    NOT NULL CHECK (token <> ''),
  since     INTEGER NOT NULL,
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id),
  PRIMARY KEY (org_id, device_id, token)
) STRICT;

CREATE TABLE enrolment (
  org_id     TEXT    NOT NULL,
  device_id  TEXT    NOT NULL,
  renewal    INTEGER NOT NULL CHECK (renewal IN (0, 1)),
  turn       INTEGER NOT NULL CHECK (turn > 0),
  status     TEXT    NOT NULL CHECK (status IN (
               'csr_pending', 'csr_generated',
               'ccsid_pending', 'ccsid_generated', 'ccsid_failed',
               'sample_invoices_pending', 'sample_invoices_generated', 'sample_invoices_failed',
               'AUTHORITY_Submission_Pending', 'AUTHORITY_Submission_Completed', 'AUTHORITY_Submission_Failed',
               'pcsid_pending', 'pcsid_generated', 'pcsid_failed')),
  request    TEXT    NOT NULL,
  request_id TEXT    NOT NULL,
  token      TEXT    NOT NULL,
  code       TEXT    NOT NULL,
  trouble    TEXT    NOT NULL,
  changed_at INTEGER NOT NULL,
  CHECK ((request_id = '') = (token = '')),
  CHECK (token = '' OR request <> ''),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id),
  PRIMARY KEY (org_id, device_id, renewal)
) STRICT;

CREATE TABLE book (
  org_id    TEXT    PRIMARY KEY REFERENCES organisation (id),
  documents INTEGER NOT NULL CHECK (documents >= 0)
) STRICT;

CREATE TABLE series (
  org_id TEXT    NOT NULL REFERENCES organisation (id),
  kind   TEXT    NOT NULL CHECK (kind IN ('INV', 'CRN', 'DBN', 'ADV')),
  prefix TEXT    NOT NULL CHECK (prefix <> ''),
  first  INTEGER NOT NULL CHECK (first > 0),
  year   INTEGER NOT NULL CHECK (year >= 0),
  last   INTEGER NOT NULL CHECK (last >= 0), ahead TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(ahead)),
  PRIMARY KEY (org_id, kind)
) STRICT;

CREATE TABLE buyer_text (
  place  INTEGER PRIMARY KEY CHECK (place > 0),
  org_id TEXT    NOT NULL REFERENCES organisation (id),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  folded TEXT NOT NULL,
  UNIQUE (org_id, digest)
) STRICT;

CREATE VIRTUAL TABLE buyer_text_search USING fts5 (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');

CREATE TABLE invoice (
  place              INTEGER PRIMARY KEY CHECK (place > 0),
  org_id             TEXT    NOT NULL REFERENCES organisation (id),
  id                 TEXT    NOT NULL CHECK (length(id) = 36),
  task_id            TEXT    NOT NULL CHECK (length(task_id) = 36),
  device_id          TEXT    NOT NULL,
  counter            INTEGER NOT NULL CHECK (counter > 0),
  hash               TEXT    NOT NULL CHECK (length(hash) = 44),
  previous_hash      TEXT    NOT NULL CHECK (length(previous_hash) >= 44),
  ref_num            TEXT    NOT NULL CHECK (ref_num <> ''),
  type_code          INTEGER NOT NULL CHECK (type_code IN (388, 381, 383, 386)),
  transaction_code   TEXT    NOT NULL CHECK (transaction_code IN ('0100000', '0200000', '0100100')),
  issue_date         TEXT    NOT NULL CHECK (issue_date LIKE '____-__-__'),
  issue_time         TEXT    NOT NULL CHECK (issue_time LIKE '__:__:__'),
  issued_at          INTEGER NOT NULL,
  currency           TEXT    NOT NULL CHECK (length(currency) = 3),
  buyer_id           TEXT,
  buyer_name         TEXT    NOT NULL,
  without_vat        TEXT    NOT NULL,
  vat                TEXT    NOT NULL,
  with_vat           TEXT    NOT NULL,
  payable            TEXT    NOT NULL,
  idempotency_key    TEXT             CHECK (idempotency_key <> ''),
  body_digest        BLOB    NOT NULL CHECK (length(body_digest) = 32),
  ref_key            TEXT NOT NULL CHECK (ref_key <> ''), -- ref_num, folded
  tail               INTEGER NOT NULL CHECK (tail >= 0), -- the number that ref_num ends with
  key_folded         TEXT          CHECK (key_folded <> ''), -- idempotency_key, folded
  buyer_text         INTEGER REFERENCES buyer_text (place),
  created_at         INTEGER NOT NULL,
  status             TEXT             CHECK (status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED', 'No response')),
  code               INTEGER          CHECK (code BETWEEN 100 AND 599),
  submitted_at       INTEGER,
  answered_at        INTEGER,
  payment            TEXT    NOT NULL CHECK (payment IN ('Pending', 'Partially Paid', 'Paid')), cleared_qr TEXT CHECK (cleared_qr IS NULL OR cleared_qr <> '' AND status = 'CLEARED'), answer_digest  BLOB CHECK (length(answer_digest) = 32), received   INTEGER NOT NULL DEFAULT 0 CHECK (received >= 0), credited   INTEGER NOT NULL DEFAULT 0 CHECK (credited >= 0), refunded   INTEGER NOT NULL DEFAULT 0 CHECK (refunded >= 0), refund_due INTEGER NOT NULL DEFAULT 0 CHECK (refund_due >= 0), due_date TEXT CHECK (due_date LIKE '____-__-__'),
  UNIQUE (org_id, id),
  -- A counter that is used twice is a repeat, a hash that is followed twice is
  -- a fork. Neither can be written.
  UNIQUE (org_id, device_id, counter),
  UNIQUE (org_id, device_id, previous_hash),
  UNIQUE (org_id, ref_num),
  UNIQUE (org_id, idempotency_key),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
) STRICT;

CREATE INDEX invoice_status ON invoice (org_id, status, id);

CREATE INDEX invoice_number ON invoice (org_id, ref_key);

CREATE INDEX invoice_tail ON invoice (org_id, tail);

CREATE INDEX invoice_ticket ON invoice (org_id, key_folded) WHERE key_folded IS NOT NULL;

CREATE INDEX invoice_buyer ON invoice (buyer_text, place) WHERE buyer_text IS NOT NULL;

CREATE TABLE document (
  org_id     TEXT NOT NULL,
  invoice_id TEXT NOT NULL,
  record     TEXT NOT NULL CHECK (json_valid(record)),
  xml        BLOB NOT NULL CHECK (length(xml) > 0),
  qr         TEXT NOT NULL CHECK (qr <> ''), digest         BLOB CHECK (length(digest) = 32), xml_digest     BLOB CHECK (length(xml_digest) = 32),
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE TABLE vat_row (
  org_id      TEXT    NOT NULL,
  invoice_id  TEXT    NOT NULL,
  position    INTEGER NOT NULL CHECK (position > 0),
  category    TEXT    NOT NULL CHECK (category IN ('S', 'Z', 'E', 'O')),
  rate        TEXT    NOT NULL,
  reason_code TEXT    NOT NULL,
  taxable     TEXT    NOT NULL,
  vat         TEXT    NOT NULL,
  taxable_sar TEXT    NOT NULL,
  vat_sar     TEXT    NOT NULL,
  PRIMARY KEY (org_id, invoice_id, position),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE TABLE guard (
  org_id     TEXT    NOT NULL REFERENCES organisation (id),
  digest     BLOB    NOT NULL CHECK (length(digest) = 32),
  invoice_id TEXT    NOT NULL,
  until      INTEGER NOT NULL,
  PRIMARY KEY (org_id, digest)
) STRICT;

CREATE INDEX guard_end ON guard (until);

CREATE TABLE submission (
  org_id     TEXT    NOT NULL,
  invoice_id TEXT    NOT NULL,
  device_id  TEXT    NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('queued', 'sending', 'waiting', 'held', 'done')),
  deadline   INTEGER NOT NULL, route       TEXT    NOT NULL DEFAULT 'clearance' CHECK (route IN ('clearance', 'reporting')), expires_at  INTEGER, attempts    INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0), failures    INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0), lease_until INTEGER CHECK ((state = 'sending') = (lease_until IS NOT NULL)), due_at      INTEGER CHECK (state <> 'waiting' OR due_at IS NOT NULL), doubt_at    INTEGER, asked       INTEGER NOT NULL DEFAULT 0 CHECK (asked IN (0, 1)), stopped TEXT NOT NULL DEFAULT '' CHECK (stopped IN ('', 'in doubt', 'too large', 'damaged') AND (stopped = '' OR state = 'held')),
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE TABLE credit (
  org_id      TEXT    NOT NULL,
  original_id TEXT    NOT NULL,
  note_id     TEXT    NOT NULL,
  amount      TEXT    NOT NULL,
  vat_rows    TEXT    NOT NULL CHECK (json_valid(vat_rows)),
  released    INTEGER NOT NULL CHECK (released IN (0, 1)),
  PRIMARY KEY (org_id, original_id, note_id),
  FOREIGN KEY (org_id, note_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE INDEX credit_note ON credit (org_id, note_id);

CREATE TABLE deduction (
  org_id     TEXT    NOT NULL,
  advance_id TEXT    NOT NULL,
  invoice_id TEXT    NOT NULL,
  released   INTEGER NOT NULL CHECK (released IN (0, 1)), vat_rows TEXT CHECK (json_valid(vat_rows)),
  PRIMARY KEY (org_id, advance_id, invoice_id),
  FOREIGN KEY (org_id, advance_id) REFERENCES invoice (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE INDEX deduction_invoice ON deduction (org_id, invoice_id);

CREATE TABLE earlier_invoice (
  org_id     TEXT    NOT NULL REFERENCES organisation (id),
  id         TEXT    NOT NULL CHECK (length(id) = 36),
  number     TEXT    NOT NULL CHECK (number <> ''),
  issue_date TEXT    NOT NULL CHECK (issue_date LIKE '____-__-__'),
  simplified INTEGER NOT NULL CHECK (simplified IN (0, 1)),
  buyer_id   TEXT,
  currency   TEXT    NOT NULL CHECK (length(currency) = 3),
  with_vat   TEXT    NOT NULL,
  vat_rows   TEXT    NOT NULL CHECK (json_valid(vat_rows)),
  created_at INTEGER NOT NULL,
  UNIQUE (org_id, number),
  PRIMARY KEY (org_id, id)
) STRICT;

CREATE TABLE remark (
  org_id     TEXT    NOT NULL,
  id         TEXT    NOT NULL CHECK (length(id) = 36),
  invoice_id TEXT    NOT NULL,
  title      TEXT    NOT NULL CHECK (title <> ''),
  details    TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT    NOT NULL,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE INDEX remark_invoice ON remark (org_id, invoice_id, id);

CREATE TABLE share (
  digest     BLOB    PRIMARY KEY CHECK (length(digest) = 32),
  org_id     TEXT    NOT NULL,
  invoice_id TEXT    NOT NULL,
  sealed     BLOB    NOT NULL CHECK (length(sealed) > 60),
  expires_at INTEGER NOT NULL,
  revoked    INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE INDEX share_invoice ON share (org_id, invoice_id);

CREATE TRIGGER invoice_stays BEFORE DELETE ON invoice
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE TRIGGER document_stays BEFORE DELETE ON document
BEGIN SELECT RAISE(ABORT, 'signed bytes never change'); END;

CREATE TRIGGER vat_row_is_final BEFORE UPDATE ON vat_row
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE TRIGGER vat_row_stays BEFORE DELETE ON vat_row
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE INDEX submission_queued  ON submission (route, org_id, deadline) WHERE state = 'queued';

CREATE INDEX submission_waiting ON submission (due_at) WHERE state = 'waiting';

CREATE INDEX submission_lease   ON submission (lease_until) WHERE state = 'sending';

CREATE INDEX submission_device  ON submission (org_id, device_id) WHERE state IN ('queued', 'waiting');

CREATE INDEX submission_open    ON submission (expires_at, deadline) WHERE state <> 'done';

CREATE INDEX device_parked ON device (org_id, id) WHERE parked = 1;

CREATE TABLE attempt (
  org_id     TEXT    NOT NULL,
  invoice_id TEXT    NOT NULL,
  number     INTEGER NOT NULL CHECK (number > 0),
  route      TEXT    NOT NULL CHECK (route IN ('clearance', 'reporting')),
  worker     TEXT    NOT NULL,
  claimed_at INTEGER NOT NULL,
  lapsed_at  INTEGER,
  ended_at   INTEGER,
  outcome    TEXT             CHECK (outcome IN ('accepted', 'duplicate', 'rejected', 'reporting', 'unauthorised', 'throttled', 'too large', 'unknown')),
  sent       INTEGER NOT NULL CHECK (sent IN (0, 1)),
  code       INTEGER          CHECK (code BETWEEN 100 AND 999),
  took       INTEGER NOT NULL CHECK (took >= 0),
  cause      TEXT    NOT NULL,
  raw        BLOB, for_copy INTEGER NOT NULL DEFAULT 0 CHECK (for_copy IN (0, 1)),
  CHECK ((ended_at IS NULL) = (outcome IS NULL)),
  PRIMARY KEY (org_id, invoice_id, number),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE TABLE verdict (
  org_id      TEXT    NOT NULL,
  invoice_id  TEXT    NOT NULL,
  attempt     INTEGER NOT NULL CHECK (attempt > 0),
  route       TEXT    NOT NULL CHECK (route IN ('clearance', 'reporting')),
  status      TEXT    NOT NULL CHECK (status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED')),
  code        INTEGER NOT NULL CHECK (code IN (200, 202, 400)),
  result      TEXT    NOT NULL,
  infos       TEXT    NOT NULL CHECK (json_valid(infos)),
  warnings    TEXT    NOT NULL CHECK (json_valid(warnings)),
  errors      TEXT    NOT NULL CHECK (json_valid(errors)),
  stamped     BLOB             CHECK (stamped IS NULL OR length(stamped) > 0 AND status = 'CLEARED'),
  suspect     BLOB,
  flag        TEXT    NOT NULL CHECK (flag IN ('', 'no document', 'bad document')),
  answered_at INTEGER NOT NULL, digest         BLOB CHECK (length(digest) = 32), stamped_digest BLOB CHECK (length(stamped_digest) = 32),
  CHECK ((status IN ('NOT_CLEARED', 'NOT_REPORTED')) = (code = 400)),
  CHECK ((status = 'CLEARED' AND stamped IS NULL) = (flag <> '')),
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id, attempt) REFERENCES attempt (org_id, invoice_id, number)
) STRICT;

CREATE TRIGGER submission_ends_once BEFORE UPDATE ON submission
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id OR OLD.device_id IS NOT NEW.device_id
  OR NEW.attempts < OLD.attempts OR (OLD.state = 'done' AND NEW.state <> 'done')
BEGIN SELECT RAISE(ABORT, 'a submission ends once and its attempts are only added to'); END;

CREATE TRIGGER attempt_ends_once BEFORE UPDATE ON attempt
WHEN OLD.outcome IS NOT NULL OR OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id OR OLD.number IS NOT NEW.number
  OR OLD.route IS NOT NEW.route OR OLD.worker IS NOT NEW.worker OR OLD.claimed_at IS NOT NEW.claimed_at
  OR (OLD.lapsed_at IS NOT NULL AND OLD.lapsed_at IS NOT NEW.lapsed_at)
BEGIN SELECT RAISE(ABORT, 'a submission ends once and its attempts are only added to'); END;

CREATE TRIGGER credit_stays BEFORE DELETE ON credit
BEGIN SELECT RAISE(ABORT, 'what belongs to an issued invoice is never deleted'); END;

CREATE TRIGGER deduction_stays BEFORE DELETE ON deduction
BEGIN SELECT RAISE(ABORT, 'what belongs to an issued invoice is never deleted'); END;

CREATE TRIGGER submission_stays BEFORE DELETE ON submission
BEGIN SELECT RAISE(ABORT, 'what belongs to an issued invoice is never deleted'); END;

CREATE TRIGGER share_stays BEFORE DELETE ON share
BEGIN SELECT RAISE(ABORT, 'what belongs to an issued invoice is never deleted'); END;

CREATE TRIGGER attempt_stays BEFORE DELETE ON attempt
BEGIN SELECT RAISE(ABORT, 'what belongs to an issued invoice is never deleted'); END;

CREATE TRIGGER verdict_stays BEFORE DELETE ON verdict
BEGIN SELECT RAISE(ABORT, 'what belongs to an issued invoice is never deleted'); END;

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
  removed    INTEGER NOT NULL CHECK (removed IN (0, 1)), issuing TEXT CHECK (json_valid(issuing)), decline TEXT CHECK (json_valid(decline)), corrects TEXT CHECK (length(corrects) = 36), summary TEXT CHECK (json_valid(summary)) CHECK (summary IS NULL OR removed = 0), folded TEXT CHECK ((folded IS NULL) = (summary IS NULL)),
  CHECK ((shown IS NULL) = (xml IS NULL)),
  CHECK (approval IS NULL OR shown IS NOT NULL),
  CHECK (invoice_id IS NULL OR removed = 0),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE INDEX draft_kept ON draft (org_id, id) WHERE removed = 0;

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

CREATE TRIGGER draft_stays BEFORE DELETE ON draft
BEGIN SELECT RAISE(ABORT, 'a draft is removed and never deleted'); END;

CREATE TRIGGER share_only_ends BEFORE UPDATE ON share
WHEN OLD.digest IS NOT NEW.digest OR OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id OR OLD.expires_at IS NOT NEW.expires_at
  OR NEW.revoked < OLD.revoked
BEGIN SELECT RAISE(ABORT, 'a link never lives again'); END;

CREATE TRIGGER draft_link_only_ends BEFORE UPDATE ON draft_link
WHEN OLD.digest IS NOT NEW.digest OR OLD.org_id IS NOT NEW.org_id OR OLD.draft_id IS NOT NEW.draft_id OR OLD.expires_at IS NOT NEW.expires_at
  OR NEW.revoked < OLD.revoked
BEGIN SELECT RAISE(ABORT, 'a link never lives again'); END;

CREATE TRIGGER draft_link_stays BEFORE DELETE ON draft_link
BEGIN SELECT RAISE(ABORT, 'a link never lives again'); END;

CREATE TRIGGER draft_code_counts BEFORE UPDATE ON draft_code
WHEN OLD.digest IS NOT NEW.digest OR OLD.org_id IS NOT NEW.org_id OR NEW.made < OLD.made OR NEW.version < OLD.version
  OR (NEW.made = OLD.made AND (NEW.tries < OLD.tries OR OLD.version IS NOT NEW.version OR OLD.made_at IS NOT NEW.made_at OR OLD.expires_at IS NOT NEW.expires_at))
BEGIN SELECT RAISE(ABORT, 'the tries of a code and the codes of a link are only added to'); END;

CREATE TRIGGER draft_code_stays BEFORE DELETE ON draft_code
BEGIN SELECT RAISE(ABORT, 'the tries of a code and the codes of a link are only added to'); END;

CREATE INDEX submission_urgent ON submission (route, expires_at) WHERE state = 'queued' AND expires_at IS NOT NULL;

CREATE TRIGGER draft_keeps_its_word BEFORE UPDATE ON draft
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id OR OLD.created_by IS NOT NEW.created_by OR OLD.created_at IS NOT NEW.created_at
  OR NEW.version < OLD.version OR (OLD.removed = 1 AND NEW.removed = 0)
  OR (OLD.invoice_id IS NOT NULL AND OLD.invoice_id IS NOT NEW.invoice_id)
  OR ((OLD.approval IS NOT NULL OR OLD.invoice_id IS NOT NULL) AND NOT (NEW.removed = 1 AND OLD.invoice_id IS NULL AND NEW.request = '{}' AND NEW.recipient = '{}' AND NEW.shown IS NULL AND NEW.approval IS NULL)
    AND (OLD.approval IS NOT NEW.approval OR OLD.version IS NOT NEW.version
    OR OLD.request IS NOT NEW.request OR OLD.recipient IS NOT NEW.recipient OR OLD.shown IS NOT NEW.shown OR OLD.xml IS NOT NEW.xml))
BEGIN SELECT RAISE(ABORT, 'an approved or issued draft never changes'); END;

CREATE TABLE continuity (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  generation INTEGER NOT NULL CHECK (generation >= 0),
  identity   TEXT             CHECK (identity IS NULL OR json_valid(identity)), -- of this database, when it was last compared
  stopped_at INTEGER,
  reason     TEXT    NOT NULL,
  trail_head BLOB, synchronous TEXT CHECK (json_valid(synchronous)), -- sealed: the end of the audit trail at the last recovery
  CHECK ((stopped_at IS NULL) = (reason = ''))
) STRICT;

CREATE TABLE gap (
  org_id      TEXT    NOT NULL,
  device_id   TEXT    NOT NULL,
  first       INTEGER NOT NULL CHECK (first > 0),
  last        INTEGER NOT NULL CHECK (last >= first),
  hash        TEXT    NOT NULL CHECK (length(hash) = 44), -- of the last document
  issued_at   INTEGER NOT NULL,                           -- of the last document
  declared_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, device_id, first),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
) STRICT;

CREATE TABLE number_gap (
  org_id      TEXT    NOT NULL REFERENCES organisation (id),
  series      TEXT    NOT NULL CHECK (series <> ''), -- the text before the number, such as INV-2026-
  first       INTEGER NOT NULL CHECK (first > 0),
  last        INTEGER NOT NULL CHECK (last >= first),
  declared_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, series, first)
) STRICT;

CREATE TRIGGER continuity_goes_forward BEFORE UPDATE ON continuity
WHEN NEW.one IS NOT OLD.one OR NEW.generation < OLD.generation
  OR (OLD.stopped_at IS NOT NULL AND NEW.stopped_at IS NULL AND NEW.generation = OLD.generation)
BEGIN SELECT RAISE(ABORT, 'only a recovery, which begins a new generation, lets issuing go on'); END;

CREATE TRIGGER continuity_stays BEFORE DELETE ON continuity
BEGIN SELECT RAISE(ABORT, 'the continuity of an installation is never deleted'); END;

CREATE TRIGGER gap_is_final BEFORE UPDATE ON gap
BEGIN SELECT RAISE(ABORT, 'a declared gap never changes'); END;

CREATE TRIGGER gap_stays BEFORE DELETE ON gap
BEGIN SELECT RAISE(ABORT, 'a declared gap never changes'); END;

CREATE TRIGGER number_gap_is_final BEFORE UPDATE ON number_gap
BEGIN SELECT RAISE(ABORT, 'a declared gap never changes'); END;

CREATE TRIGGER number_gap_stays BEFORE DELETE ON number_gap
BEGIN SELECT RAISE(ABORT, 'a declared gap never changes'); END;

CREATE TABLE copy_request (
  org_id      TEXT    NOT NULL,
  invoice_id  TEXT    NOT NULL,
  device_id   TEXT    NOT NULL,
  state       TEXT    NOT NULL CHECK (state IN ('waiting', 'sending', 'stopped', 'arrived')),
  since       INTEGER NOT NULL,
  due_at      INTEGER NOT NULL,
  lease_until INTEGER          CHECK ((state = 'sending') = (lease_until IS NOT NULL)),
  failures    INTEGER NOT NULL CHECK (failures >= 0),
  stopped     TEXT    NOT NULL CHECK (stopped IN ('', 'expired', 'refused') AND (state = 'stopped') = (stopped <> '')),
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES verdict (org_id, invoice_id)
) STRICT;

CREATE INDEX copy_request_due   ON copy_request (due_at) WHERE state = 'waiting';

CREATE INDEX copy_request_since ON copy_request (since) WHERE state = 'waiting';

CREATE INDEX copy_request_lease ON copy_request (lease_until) WHERE state = 'sending';

CREATE INDEX copy_request_open  ON copy_request (state) WHERE state <> 'arrived';

CREATE TRIGGER attempt_purpose_stays BEFORE UPDATE ON attempt
WHEN OLD.for_copy IS NOT NEW.for_copy
BEGIN SELECT RAISE(ABORT, 'a submission ends once and its attempts are only added to'); END;

CREATE TRIGGER copy_request_ends_once BEFORE UPDATE ON copy_request
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id OR OLD.device_id IS NOT NEW.device_id OR OLD.since IS NOT NEW.since
  OR OLD.state = 'arrived' OR (OLD.state = 'stopped' AND NEW.state <> 'arrived')
  OR (NEW.state = 'arrived' AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.org_id = NEW.org_id AND v.invoice_id = NEW.invoice_id AND v.stamped IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'a request for a stamped copy ends once'); END;

CREATE TRIGGER copy_request_stays BEFORE DELETE ON copy_request
BEGIN SELECT RAISE(ABORT, 'what belongs to an issued invoice is never deleted'); END;

CREATE TRIGGER invoice_code_needs_copy BEFORE UPDATE ON invoice
WHEN OLD.status = 'CLEARED' AND OLD.cleared_qr IS NULL AND NEW.cleared_qr IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.org_id = NEW.org_id AND v.invoice_id = NEW.id AND v.stamped IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE TABLE clock_release (
  org_id         TEXT    NOT NULL,
  device_id      TEXT    NOT NULL,
  counter        INTEGER NOT NULL CHECK (counter > 0),
  last_issued_at INTEGER NOT NULL,
  released_at    INTEGER NOT NULL CHECK (released_at < last_issued_at),
  PRIMARY KEY (org_id, device_id, counter),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
) STRICT;

CREATE TRIGGER clock_release_is_final BEFORE UPDATE ON clock_release
BEGIN SELECT RAISE(ABORT, 'a release names the last document of its device and never changes'); END;

CREATE TRIGGER clock_release_stays BEFORE DELETE ON clock_release
BEGIN SELECT RAISE(ABORT, 'a release names the last document of its device and never changes'); END;

CREATE INDEX document_undigested ON document (org_id, invoice_id) WHERE digest IS NULL;

CREATE TABLE damage (
  org_id     TEXT    NOT NULL CHECK (length(org_id) = 36),
  invoice_id TEXT    NOT NULL CHECK (length(invoice_id) = 36),
  ref_num    TEXT    NOT NULL,
  what       TEXT    NOT NULL CHECK (what <> ''),
  found_at   INTEGER NOT NULL,
  PRIMARY KEY (org_id, invoice_id)
) STRICT;

CREATE TABLE scrub (
  one           INTEGER PRIMARY KEY CHECK (one = 1),
  after_org     TEXT    NOT NULL CHECK (length(after_org) = 36),
  after_invoice TEXT    NOT NULL CHECK (length(after_invoice) = 36),
  documents     INTEGER NOT NULL CHECK (documents >= 0),
  lease_until   INTEGER NOT NULL,
  completed_at  INTEGER
) STRICT;

CREATE INDEX submission_doubt   ON submission (doubt_at) WHERE state IN ('queued', 'waiting', 'held') AND doubt_at IS NOT NULL AND asked = 0 AND stopped = '';

CREATE INDEX submission_held    ON submission (org_id, device_id, deadline) WHERE state = 'held' AND stopped = '';

CREATE INDEX submission_stopped ON submission (org_id, invoice_id) WHERE stopped <> '';

CREATE INDEX submission_probe   ON submission (route, doubt_at) WHERE state = 'queued' AND doubt_at IS NOT NULL AND asked = 0 AND stopped = '';

CREATE TRIGGER document_has_digests BEFORE INSERT ON document
WHEN NEW.digest IS NULL OR NEW.xml_digest IS NULL
BEGIN SELECT RAISE(ABORT, 'a document is stored with its digests'); END;

CREATE TRIGGER verdict_has_digests BEFORE INSERT ON verdict
WHEN NEW.digest IS NULL OR (NEW.stamped IS NULL) <> (NEW.stamped_digest IS NULL)
BEGIN SELECT RAISE(ABORT, 'a verdict is stored with its digests'); END;

CREATE TABLE chain (
  org_id         TEXT    NOT NULL,
  device_id      TEXT    NOT NULL,
  counter        INTEGER NOT NULL CHECK (counter >= 0),
  last_hash      TEXT    NOT NULL CHECK (length(last_hash) IN (44, 88)),
  last_issued_at INTEGER,
  PRIMARY KEY (org_id, device_id),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
) STRICT;

CREATE TRIGGER device_is_final BEFORE UPDATE ON device
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id OR OLD.environment IS NOT NEW.environment OR OLD.serial_number IS NOT NEW.serial_number
BEGIN SELECT RAISE(ABORT, 'a device keeps its environment and its serial number'); END;

CREATE TRIGGER device_stays BEFORE DELETE ON device
BEGIN SELECT RAISE(ABORT, 'a device keeps its environment and its serial number'); END;

CREATE TRIGGER chain_goes_forward BEFORE UPDATE ON chain
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.device_id IS NOT NEW.device_id OR NEW.counter < OLD.counter
  OR (NEW.counter = OLD.counter AND (OLD.last_hash IS NOT NEW.last_hash OR OLD.last_issued_at IS NOT NEW.last_issued_at))
  OR (NEW.last_issued_at < OLD.last_issued_at AND NOT EXISTS (
    SELECT 1 FROM clock_release r WHERE r.org_id = OLD.org_id AND r.device_id = OLD.device_id AND r.counter = OLD.counter))
BEGIN SELECT RAISE(ABORT, 'the counter of a device never goes back, nor does its last hash change without it'); END;

CREATE TRIGGER chain_stays BEFORE DELETE ON chain
BEGIN SELECT RAISE(ABORT, 'the counter of a device never goes back, nor does its last hash change without it'); END;

CREATE TRIGGER clock_release_fits BEFORE INSERT ON clock_release
WHEN NOT EXISTS (
  SELECT 1 FROM chain c
  WHERE c.org_id = NEW.org_id AND c.device_id = NEW.device_id AND c.counter = NEW.counter AND c.last_issued_at = NEW.last_issued_at)
BEGIN SELECT RAISE(ABORT, 'a release names the last document of its device and never changes'); END;

CREATE TRIGGER deduction_has_amounts BEFORE INSERT ON deduction
WHEN NEW.vat_rows IS NULL
BEGIN SELECT RAISE(ABORT, 'a deduction is stored with its amounts'); END;

CREATE TRIGGER deduction_is_final BEFORE UPDATE ON deduction
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.advance_id IS NOT NEW.advance_id OR OLD.invoice_id IS NOT NEW.invoice_id
  OR OLD.vat_rows IS NOT NEW.vat_rows OR NEW.released < OLD.released
BEGIN SELECT RAISE(ABORT, 'a deduction changes only by being released'); END;

CREATE TABLE known_network (
  digest    BLOB    PRIMARY KEY CHECK (length(digest) = 32),
  person_id TEXT    NOT NULL REFERENCES person (id),
  seen_at   INTEGER NOT NULL -- last successful sign-in
) STRICT;

CREATE INDEX known_network_person ON known_network (person_id, seen_at);

CREATE INDEX known_network_seen ON known_network (seen_at);

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

CREATE UNIQUE INDEX access_link_setup ON access_link (purpose) WHERE purpose = 'setup' AND used_at IS NULL AND revoked_at IS NULL;

CREATE UNIQUE INDEX access_link_invitation ON access_link (org_id, email) WHERE purpose = 'invitation' AND used_at IS NULL AND revoked_at IS NULL;

CREATE UNIQUE INDEX access_link_person ON access_link (person_id, purpose) WHERE person_id IS NOT NULL AND used_at IS NULL AND revoked_at IS NULL;

CREATE TRIGGER access_link_ends_once BEFORE UPDATE ON access_link
WHEN OLD.digest IS NOT NEW.digest OR OLD.id IS NOT NEW.id OR OLD.purpose IS NOT NEW.purpose OR OLD.org_id IS NOT NEW.org_id
  OR OLD.person_id IS NOT NEW.person_id OR OLD.email IS NOT NEW.email OR OLD.role IS NOT NEW.role OR OLD.created_by IS NOT NEW.created_by
  OR OLD.created_at IS NOT NEW.created_at OR OLD.expires_at IS NOT NEW.expires_at OR OLD.used_at IS NOT NULL OR OLD.revoked_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'an access link ends once'); END;

CREATE TABLE "letter" (
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

CREATE INDEX letter_due ON letter (next_at) WHERE state = 'queued';

CREATE INDEX letter_end ON letter (expires_at) WHERE state = 'queued';

CREATE INDEX letter_of ON letter (org_id, id);

CREATE INDEX letter_about ON letter (org_id, draft_id) WHERE state = 'queued';

CREATE INDEX letter_link ON letter (link_id) WHERE state = 'queued';

CREATE TRIGGER letter_ends_once BEFORE UPDATE ON letter
WHEN OLD.id IS NOT NEW.id OR OLD.org_id IS NOT NEW.org_id OR OLD.draft_id IS NOT NEW.draft_id OR OLD.link_id IS NOT NEW.link_id OR OLD.recipient IS NOT NEW.recipient
  OR OLD.created_at IS NOT NEW.created_at OR OLD.expires_at IS NOT NEW.expires_at OR NEW.attempts < OLD.attempts OR OLD.state <> 'queued'
BEGIN SELECT RAISE(ABORT, 'a letter ends once'); END;

CREATE TABLE receipt_series (
  org_id TEXT    NOT NULL REFERENCES organisation (id),
  kind   TEXT    NOT NULL CHECK (kind IN ('RCT', 'RFD')),
  year   INTEGER NOT NULL CHECK (year > 0),
  last   INTEGER NOT NULL CHECK (last > 0),
  PRIMARY KEY (org_id, kind)
) STRICT;

CREATE TABLE receipt (
  org_id         TEXT    NOT NULL REFERENCES organisation (id),
  id             TEXT    NOT NULL CHECK (length(id) = 36),
  kind           TEXT    NOT NULL CHECK (kind IN ('payment', 'reversal', 'credit')),
  number         TEXT    NOT NULL CHECK (number <> ''),
  client_id      TEXT,
  currency       TEXT    NOT NULL CHECK (length(currency) = 3),
  amount         INTEGER NOT NULL CHECK (amount <> 0),
  sar            INTEGER          CHECK (sar <> 0),
  means          TEXT    NOT NULL CHECK (means IN ('', '10', '20', '23', '25', '26', '30', '31', '46', '48', '49', '54', '55')),
  received_on    TEXT    NOT NULL CHECK (received_on LIKE '____-__-__'),
  note           TEXT    NOT NULL,
  reverses       TEXT,
  reason         TEXT    NOT NULL,
  request_key    TEXT             CHECK (request_key <> ''),
  request_digest BLOB             CHECK (length(request_digest) = 32),
  created_by     TEXT    NOT NULL,
  created_at     INTEGER NOT NULL,
  CHECK ((kind = 'reversal') = (amount < 0)),
  CHECK ((kind = 'reversal') = (reverses IS NOT NULL)),
  CHECK ((kind = 'reversal') = (reason <> '')),
  CHECK (reverses <> id),
  CHECK (kind <> 'payment' OR means <> ''),
  CHECK ((request_key IS NULL) = (request_digest IS NULL)),
  UNIQUE (org_id, number),
  UNIQUE (org_id, request_key),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, client_id) REFERENCES client (org_id, id),
  FOREIGN KEY (org_id, reverses) REFERENCES receipt (org_id, id)
) STRICT;

CREATE UNIQUE INDEX receipt_reversed_once ON receipt (org_id, reverses) WHERE reverses IS NOT NULL;

CREATE INDEX receipt_client ON receipt (org_id, client_id, id);

CREATE TABLE allocation (
  org_id     TEXT    NOT NULL,
  id         TEXT    NOT NULL CHECK (length(id) = 36),
  receipt_id TEXT    NOT NULL,
  invoice_id TEXT    NOT NULL,
  amount     INTEGER NOT NULL CHECK (amount <> 0),
  reverses   TEXT,
  cause      TEXT    NOT NULL CHECK (cause IN ('payment', 'reversal', 'moved')),
  created_by TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK ((amount < 0) = (reverses IS NOT NULL)),
  CHECK (reverses <> id),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, receipt_id) REFERENCES receipt (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id),
  FOREIGN KEY (org_id, reverses) REFERENCES allocation (org_id, id)
) STRICT;

CREATE UNIQUE INDEX allocation_reversed_once ON allocation (org_id, reverses) WHERE reverses IS NOT NULL;

CREATE INDEX allocation_invoice ON allocation (org_id, invoice_id);

CREATE INDEX allocation_receipt ON allocation (org_id, receipt_id);

CREATE TABLE refund (
  org_id         TEXT    NOT NULL REFERENCES organisation (id),
  id             TEXT    NOT NULL CHECK (length(id) = 36),
  number         TEXT    NOT NULL CHECK (number <> ''),
  note_id        TEXT    NOT NULL,
  currency       TEXT    NOT NULL CHECK (length(currency) = 3),
  amount         INTEGER NOT NULL CHECK (amount <> 0),
  sar            INTEGER          CHECK (sar <> 0),
  means          TEXT    NOT NULL CHECK (means IN ('', '10', '20', '23', '25', '26', '30', '31', '46', '48', '49', '54', '55')),
  paid_on        TEXT    NOT NULL CHECK (paid_on LIKE '____-__-__'),
  note           TEXT    NOT NULL,
  receipt_id     TEXT,
  reverses       TEXT,
  reason         TEXT    NOT NULL,
  request_key    TEXT             CHECK (request_key <> ''),
  request_digest BLOB             CHECK (length(request_digest) = 32),
  created_by     TEXT    NOT NULL,
  created_at     INTEGER NOT NULL,
  CHECK ((amount < 0) = (reverses IS NOT NULL)),
  CHECK (reverses <> id),
  CHECK ((amount < 0) = (reason <> '')),
  CHECK ((receipt_id IS NOT NULL) = (means = '')),
  CHECK ((request_key IS NULL) = (request_digest IS NULL)),
  UNIQUE (org_id, number),
  UNIQUE (org_id, request_key),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, note_id) REFERENCES invoice (org_id, id),
  FOREIGN KEY (org_id, receipt_id) REFERENCES receipt (org_id, id),
  FOREIGN KEY (org_id, reverses) REFERENCES refund (org_id, id)
) STRICT;

CREATE UNIQUE INDEX refund_reversed_once ON refund (org_id, reverses) WHERE reverses IS NOT NULL;

CREATE INDEX refund_note ON refund (org_id, note_id);

CREATE TABLE refund_part (
  org_id      TEXT    NOT NULL,
  refund_id   TEXT    NOT NULL,
  original_id TEXT    NOT NULL,
  amount      INTEGER NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (org_id, refund_id, original_id),
  FOREIGN KEY (org_id, refund_id) REFERENCES refund (org_id, id),
  FOREIGN KEY (org_id, original_id) REFERENCES invoice (org_id, id)
) STRICT;

CREATE INDEX refund_part_original ON refund_part (org_id, original_id);

CREATE TRIGGER receipt_is_final BEFORE UPDATE ON receipt
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;

CREATE TRIGGER receipt_stays BEFORE DELETE ON receipt
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;

CREATE TRIGGER allocation_is_final BEFORE UPDATE ON allocation
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;

CREATE TRIGGER allocation_stays BEFORE DELETE ON allocation
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;

CREATE TRIGGER refund_is_final BEFORE UPDATE ON refund
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;

CREATE TRIGGER refund_stays BEFORE DELETE ON refund
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;

CREATE TRIGGER refund_part_is_final BEFORE UPDATE ON refund_part
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;

CREATE TRIGGER refund_part_stays BEFORE DELETE ON refund_part
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;

CREATE TABLE second_factor (
  person_id  TEXT    PRIMARY KEY REFERENCES person (id),
  sealed     BLOB    NOT NULL CHECK (length(sealed) > 60),
  created_at INTEGER NOT NULL,
  expires_at INTEGER CHECK (expires_at > created_at),      -- until the first code is entered
  active_at  INTEGER,                                      -- time of the first code
  last_step  INTEGER NOT NULL CHECK (last_step >= 0),      -- of the last accepted code
  CHECK ((active_at IS NULL) = (expires_at IS NOT NULL)),
  CHECK ((active_at IS NULL) = (last_step = 0))
) STRICT;

CREATE TABLE recovery_code (
  person_id TEXT NOT NULL REFERENCES person (id),
  digest    BLOB NOT NULL CHECK (length(digest) = 32), -- SHA-256 of the code, which is not stored
  used_at   INTEGER,
  PRIMARY KEY (person_id, digest)
) STRICT;

CREATE TRIGGER second_factor_goes_on BEFORE UPDATE ON second_factor
WHEN OLD.person_id IS NOT NEW.person_id OR OLD.created_at IS NOT NEW.created_at OR NEW.last_step < OLD.last_step
  OR OLD.active_at IS NOT NULL AND OLD.active_at IS NOT NEW.active_at
BEGIN SELECT RAISE(ABORT, 'a code works once'); END;

CREATE TRIGGER recovery_code_works_once BEFORE UPDATE ON recovery_code
WHEN OLD.person_id IS NOT NEW.person_id OR OLD.digest IS NOT NEW.digest OR OLD.used_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a code works once'); END;

CREATE UNIQUE INDEX item_sku ON item (org_id, sku) WHERE sku <> '';

CREATE UNIQUE INDEX item_barcode ON item (org_id, barcode) WHERE barcode <> '';

CREATE TABLE notice_read (
  org_id    TEXT    NOT NULL REFERENCES organisation (id),
  person_id TEXT    NOT NULL REFERENCES person (id),
  notice    TEXT    NOT NULL CHECK (notice <> ''),
  read_at   INTEGER NOT NULL,
  PRIMARY KEY (org_id, person_id, notice)
) STRICT;

CREATE TABLE saved_view (
  org_id     TEXT    NOT NULL REFERENCES organisation (id),
  id         TEXT    NOT NULL CHECK (length(id) = 36),
  person_id  TEXT    NOT NULL REFERENCES person (id),
  list       TEXT    NOT NULL CHECK (list <> ''),
  name       TEXT    NOT NULL CHECK (name <> ''),
  query      TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (org_id, person_id, list, name),
  PRIMARY KEY (org_id, id)
) STRICT;

CREATE UNIQUE INDEX draft_corrects ON draft (org_id, corrects) WHERE corrects IS NOT NULL AND removed = 0;

CREATE INDEX draft_replacement ON draft (org_id, invoice_id) WHERE corrects IS NOT NULL AND invoice_id IS NOT NULL;

CREATE INDEX draft_approved ON draft (org_id, id) WHERE removed = 0 AND invoice_id IS NULL AND approval IS NOT NULL;

CREATE INDEX draft_declined ON draft (org_id, id) WHERE removed = 0 AND invoice_id IS NULL AND approval IS NULL AND decline IS NOT NULL;

CREATE INDEX letter_undelivered ON letter (org_id, created_at) WHERE state IN ('refused', 'expired') AND attempts > 0;

CREATE TRIGGER draft_corrects_a_rejected_invoice BEFORE INSERT ON draft
WHEN NEW.corrects IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM invoice WHERE org_id = NEW.org_id AND id = NEW.corrects AND status IN ('NOT_CLEARED', 'NOT_REPORTED'))
BEGIN SELECT RAISE(ABORT, 'only a rejected invoice is corrected by a draft'); END;

CREATE TRIGGER draft_keeps_its_correction BEFORE UPDATE ON draft
WHEN OLD.corrects IS NOT NEW.corrects
BEGIN SELECT RAISE(ABORT, 'a draft corrects the same invoice until its end'); END;

CREATE TRIGGER invoice_keeps_its_due_date BEFORE UPDATE OF due_date ON invoice
WHEN OLD.due_date IS NOT NEW.due_date
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE INDEX invoice_client ON invoice (org_id, buyer_id, issue_date)
  WHERE buyer_id IS NOT NULL AND (status IN ('CLEARED', 'REPORTED') OR transaction_code = '0200000' AND coalesce(status, '') NOT IN ('NOT_CLEARED', 'NOT_REPORTED'));

CREATE INDEX invoice_owed ON invoice (org_id, buyer_id, currency, due_date, issue_date, payable, credited, received, refunded, type_code, payment, status, transaction_code)
  WHERE buyer_id IS NOT NULL AND type_code <> 381 AND payment <> 'Paid'
    AND (status IN ('CLEARED', 'REPORTED') OR transaction_code = '0200000' AND coalesce(status, '') NOT IN ('NOT_CLEARED', 'NOT_REPORTED'));

CREATE INDEX invoice_refund_due ON invoice (org_id, buyer_id, currency, refund_due) WHERE refund_due > 0;

CREATE UNIQUE INDEX access_link_signup ON access_link (email) WHERE purpose = 'signup' AND used_at IS NULL AND revoked_at IS NULL;

CREATE TABLE import_job (
  org_id     TEXT NOT NULL REFERENCES organisation (id),
  id         TEXT NOT NULL CHECK (length(id) = 36),
  kind       TEXT NOT NULL CHECK (kind IN ('clients', 'items')),
  state      TEXT NOT NULL CHECK (state IN ('checking', 'checked', 'running', 'done', 'failed', 'cancelled')),
  filename   TEXT NOT NULL,
  file       TEXT NOT NULL,                      -- storage key; empty once the file was removed
  options    TEXT NOT NULL CHECK (json_valid(options)),
  total      INTEGER NOT NULL CHECK (total > 0), -- rows of the file
  done       INTEGER NOT NULL CHECK (done BETWEEN 0 AND total),
  counts     TEXT NOT NULL CHECK (json_valid(counts)), -- rows that are done, by fate
  problem    TEXT NOT NULL CHECK ((problem <> '') = (state = 'failed')),
  person_id  TEXT NOT NULL REFERENCES person (id), -- who created or ran it, as in the audit trail
  actor      TEXT NOT NULL,
  address    TEXT NOT NULL,
  request    TEXT NOT NULL,
  turn       INTEGER NOT NULL CHECK (turn >= 0), -- number of times that a server took it
  lease      INTEGER NOT NULL,                   -- until when a server has it
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT;

CREATE INDEX import_active ON import_job (changed_at) WHERE state IN ('checking', 'running');

CREATE INDEX import_file ON import_job (state, changed_at) WHERE file <> '';

CREATE TABLE import_row (
  org_id    TEXT NOT NULL,
  import_id TEXT NOT NULL,
  number    INTEGER NOT NULL CHECK (number > 0), -- in the file
  name      TEXT NOT NULL,
  fate      TEXT NOT NULL CHECK (fate IN ('create', 'change', 'unchanged', 'differs', 'repeated', 'refused')),
  record_id TEXT CHECK (length(record_id) = 36),
  first     INTEGER NOT NULL CHECK ((first > 0) = (fate = 'repeated')), -- earlier row about the same record
  problems  TEXT NOT NULL CHECK (json_valid(problems)),
  identity  BLOB CHECK (length(identity) = 16), -- of the record; null if the row is not imported
  code      BLOB CHECK (length(code) = 16),     -- of its barcode
  PRIMARY KEY (org_id, import_id, number),
  FOREIGN KEY (org_id, import_id) REFERENCES import_job (org_id, id)
) STRICT;

CREATE INDEX import_row_identity ON import_row (org_id, import_id, identity) WHERE identity IS NOT NULL;

CREATE INDEX import_row_code ON import_row (org_id, import_id, code) WHERE code IS NOT NULL;

CREATE INDEX import_row_fate ON import_row (org_id, import_id, fate, number);

CREATE INDEX client_vat ON client (org_id, vat_number) WHERE vat_number <> '';

CREATE INDEX client_name ON client (org_id, substr(name, 1, 60)) WHERE vat_number = '';

CREATE INDEX item_name ON item (org_id, name) WHERE sku = '' AND barcode = '';

CREATE TABLE reset_request (
  id         TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
  email      TEXT NOT NULL CHECK (email <> ''),
  language   TEXT NOT NULL CHECK (language IN ('ar', 'en')), -- of the e-mail
  address    TEXT NOT NULL, -- of the caller, for the audit trail
  request    TEXT NOT NULL, -- of the caller, for the audit trail
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX draft_unissued ON draft (org_id, id) WHERE removed = 0 AND invoice_id IS NULL;

CREATE TRIGGER draft_keeps_its_summary BEFORE UPDATE ON draft
WHEN (OLD.approval IS NOT NULL OR OLD.invoice_id IS NOT NULL) AND NEW.removed = 0
  AND (OLD.summary IS NOT NEW.summary OR OLD.folded IS NOT NEW.folded)
BEGIN SELECT RAISE(ABORT, 'an approved or issued draft never changes'); END;

CREATE INDEX invoice_day ON invoice (org_id, (substr(issue_date, 1, 10)));

CREATE TABLE archive (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  location TEXT    NOT NULL CHECK (location <> ''),
  epoch    INTEGER NOT NULL, -- of the archive, in which this database is written
  since    INTEGER NOT NULL
, compacted     TEXT    NOT NULL DEFAULT '', compact_lease INTEGER NOT NULL DEFAULT 0, complete_since INTEGER, note INTEGER NOT NULL DEFAULT 0, unawaited_at INTEGER NOT NULL DEFAULT 0, reached TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE unarchived (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT,            -- table of the row; null for a document
  key        TEXT,            -- primary key of the row as JSON, binary values in hex
  org_id     TEXT,          -- of a document
  invoice_id TEXT,          -- of a document
  server     TEXT,          -- that wrote the document
  since      INTEGER,         -- time at which the document was written
  CHECK ((name IS NULL) = (key IS NULL)),
  CHECK ((name IS NULL) = (invoice_id IS NOT NULL)),
  CHECK ((org_id IS NULL) = (invoice_id IS NULL)),
  CHECK ((server IS NULL) = (invoice_id IS NULL)),
  CHECK ((since IS NULL) = (invoice_id IS NULL))
) STRICT;

CREATE INDEX unarchived_document ON unarchived (org_id, invoice_id) WHERE invoice_id IS NOT NULL;

CREATE TRIGGER archive_installation_update AFTER UPDATE OF environment, master_key, clock_accepted_at ON installation WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('installation', json_object('one', NEW.one)); END;

CREATE TRIGGER archive_plan_insert AFTER INSERT ON plan WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('plan', json_object('slug', NEW.slug)); END;

CREATE TRIGGER archive_plan_update AFTER UPDATE ON plan WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('plan', json_object('slug', NEW.slug)); END;

CREATE TRIGGER archive_plan_delete AFTER DELETE ON plan WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('plan', json_object('slug', OLD.slug)); END;

CREATE TRIGGER archive_organisation_insert AFTER INSERT ON organisation WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('organisation', json_object('id', NEW.id)); END;

CREATE TRIGGER archive_organisation_update AFTER UPDATE ON organisation WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('organisation', json_object('id', NEW.id)); END;

CREATE TRIGGER archive_person_insert AFTER INSERT ON person WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('person', json_object('id', NEW.id)); END;

CREATE TRIGGER archive_person_update AFTER UPDATE ON person WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('person', json_object('id', NEW.id)); END;

CREATE TRIGGER archive_membership_insert AFTER INSERT ON membership WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('membership', json_object('org_id', NEW.org_id, 'person_id', NEW.person_id)); END;

CREATE TRIGGER archive_membership_update AFTER UPDATE ON membership WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('membership', json_object('org_id', NEW.org_id, 'person_id', NEW.person_id)); END;

CREATE TRIGGER archive_membership_delete AFTER DELETE ON membership WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('membership', json_object('org_id', OLD.org_id, 'person_id', OLD.person_id)); END;

CREATE TRIGGER archive_second_factor_insert AFTER INSERT ON second_factor WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('second_factor', json_object('person_id', NEW.person_id)); END;

CREATE TRIGGER archive_second_factor_update AFTER UPDATE ON second_factor WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('second_factor', json_object('person_id', NEW.person_id)); END;

CREATE TRIGGER archive_second_factor_delete AFTER DELETE ON second_factor WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('second_factor', json_object('person_id', OLD.person_id)); END;

CREATE TRIGGER archive_recovery_code_insert AFTER INSERT ON recovery_code WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('recovery_code', json_object('person_id', NEW.person_id, 'digest', lower(hex(NEW.digest)))); END;

CREATE TRIGGER archive_recovery_code_update AFTER UPDATE ON recovery_code WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('recovery_code', json_object('person_id', NEW.person_id, 'digest', lower(hex(NEW.digest)))); END;

CREATE TRIGGER archive_recovery_code_delete AFTER DELETE ON recovery_code WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('recovery_code', json_object('person_id', OLD.person_id, 'digest', lower(hex(OLD.digest)))); END;

CREATE TRIGGER archive_api_key_insert AFTER INSERT ON api_key WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('api_key', json_object('name', NEW.name)); END;

CREATE TRIGGER archive_api_key_update AFTER UPDATE ON api_key WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('api_key', json_object('name', NEW.name)); END;

CREATE TRIGGER archive_branch_insert AFTER INSERT ON branch WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('branch', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_branch_update AFTER UPDATE ON branch WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('branch', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_reason_insert AFTER INSERT ON reason WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('reason', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_reason_update AFTER UPDATE ON reason WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('reason', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_client_insert AFTER INSERT ON client WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('client', json_object('place', NEW.place)); END;

CREATE TRIGGER archive_client_update AFTER UPDATE ON client WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('client', json_object('place', NEW.place)); END;

CREATE TRIGGER archive_item_insert AFTER INSERT ON item WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('item', json_object('place', NEW.place)); END;

CREATE TRIGGER archive_item_update AFTER UPDATE ON item WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('item', json_object('place', NEW.place)); END;

CREATE TRIGGER archive_earlier_invoice_insert AFTER INSERT ON earlier_invoice WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('earlier_invoice', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_earlier_invoice_update AFTER UPDATE ON earlier_invoice WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('earlier_invoice', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_saved_view_insert AFTER INSERT ON saved_view WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('saved_view', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_saved_view_update AFTER UPDATE ON saved_view WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('saved_view', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_saved_view_delete AFTER DELETE ON saved_view WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('saved_view', json_object('org_id', OLD.org_id, 'id', OLD.id)); END;

CREATE TRIGGER archive_device_insert AFTER INSERT ON device WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('device', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_device_update AFTER UPDATE ON device WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('device', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_secret_insert AFTER INSERT ON secret WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('secret', json_object('org_id', NEW.org_id, 'purpose', NEW.purpose, 'owner', NEW.owner)); END;

CREATE TRIGGER archive_secret_update AFTER UPDATE ON secret WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('secret', json_object('org_id', NEW.org_id, 'purpose', NEW.purpose, 'owner', NEW.owner)); END;

CREATE TRIGGER archive_secret_delete AFTER DELETE ON secret WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('secret', json_object('org_id', OLD.org_id, 'purpose', OLD.purpose, 'owner', OLD.owner)); END;

CREATE TRIGGER archive_certificate_insert AFTER INSERT ON certificate WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('certificate', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'token', NEW.token)); END;

CREATE TRIGGER archive_certificate_update AFTER UPDATE ON certificate WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('certificate', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'token', NEW.token)); END;

CREATE TRIGGER archive_enrolment_insert AFTER INSERT ON enrolment WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('enrolment', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'renewal', NEW.renewal)); END;

CREATE TRIGGER archive_enrolment_update AFTER UPDATE ON enrolment WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('enrolment', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'renewal', NEW.renewal)); END;

CREATE TRIGGER archive_enrolment_delete AFTER DELETE ON enrolment WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('enrolment', json_object('org_id', OLD.org_id, 'device_id', OLD.device_id, 'renewal', OLD.renewal)); END;

CREATE TRIGGER archive_chain_insert AFTER INSERT ON chain WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('chain', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id)); END;

CREATE TRIGGER archive_gap_insert AFTER INSERT ON gap WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('gap', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'first', NEW.first)); END;

CREATE TRIGGER archive_number_gap_insert AFTER INSERT ON number_gap WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('number_gap', json_object('org_id', NEW.org_id, 'series', NEW.series, 'first', NEW.first)); END;

CREATE TRIGGER archive_clock_release_insert AFTER INSERT ON clock_release WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('clock_release', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'counter', NEW.counter)); END;

CREATE TRIGGER archive_series_insert AFTER INSERT ON series WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('series', json_object('org_id', NEW.org_id, 'kind', NEW.kind)); END;

CREATE TRIGGER archive_series_update AFTER UPDATE OF prefix, first, ahead ON series WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('series', json_object('org_id', NEW.org_id, 'kind', NEW.kind)); END;

CREATE TRIGGER archive_usage_insert AFTER INSERT ON usage WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('usage', json_object('org_id', NEW.org_id, 'month', NEW.month)); END;

CREATE TRIGGER archive_usage_update AFTER UPDATE OF validations ON usage WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('usage', json_object('org_id', NEW.org_id, 'month', NEW.month)); END;

CREATE TRIGGER archive_buyer_text_insert AFTER INSERT ON buyer_text WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('buyer_text', json_object('place', NEW.place)); END;

CREATE TRIGGER archive_invoice_update AFTER UPDATE ON invoice WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('invoice', json_object('place', NEW.place)); END;

CREATE TRIGGER archive_document_update AFTER UPDATE ON document WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('document', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;

CREATE TRIGGER archive_submission_update AFTER UPDATE ON submission WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('submission', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;

CREATE TRIGGER archive_share_update AFTER UPDATE ON share WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('share', json_object('digest', lower(hex(NEW.digest)))); END;

CREATE TRIGGER archive_credit_update AFTER UPDATE ON credit WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('credit', json_object('org_id', NEW.org_id, 'original_id', NEW.original_id, 'note_id', NEW.note_id)); END;

CREATE TRIGGER archive_deduction_update AFTER UPDATE ON deduction WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('deduction', json_object('org_id', NEW.org_id, 'advance_id', NEW.advance_id, 'invoice_id', NEW.invoice_id)); END;

CREATE TRIGGER archive_attempt_insert AFTER INSERT ON attempt WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('attempt', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id, 'number', NEW.number)); END;

CREATE TRIGGER archive_attempt_update AFTER UPDATE ON attempt WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('attempt', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id, 'number', NEW.number)); END;

CREATE TRIGGER archive_verdict_insert AFTER INSERT ON verdict WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('verdict', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;

CREATE TRIGGER archive_verdict_update AFTER UPDATE ON verdict WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('verdict', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;

CREATE TRIGGER archive_copy_request_insert AFTER INSERT ON copy_request WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('copy_request', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;

CREATE TRIGGER archive_copy_request_update AFTER UPDATE ON copy_request WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('copy_request', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;

CREATE TRIGGER archive_remark_insert AFTER INSERT ON remark WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('remark', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_remark_update AFTER UPDATE ON remark WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('remark', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_remark_delete AFTER DELETE ON remark WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('remark', json_object('org_id', OLD.org_id, 'id', OLD.id)); END;

CREATE TRIGGER archive_draft_insert AFTER INSERT ON draft WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('draft', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_draft_update AFTER UPDATE ON draft WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('draft', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_draft_link_insert AFTER INSERT ON draft_link WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('draft_link', json_object('digest', lower(hex(NEW.digest)))); END;

CREATE TRIGGER archive_draft_link_update AFTER UPDATE ON draft_link WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('draft_link', json_object('digest', lower(hex(NEW.digest)))); END;

CREATE TRIGGER archive_receipt_series_insert AFTER INSERT ON receipt_series WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('receipt_series', json_object('org_id', NEW.org_id, 'kind', NEW.kind)); END;

CREATE TRIGGER archive_receipt_series_update AFTER UPDATE ON receipt_series WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('receipt_series', json_object('org_id', NEW.org_id, 'kind', NEW.kind)); END;

CREATE TRIGGER archive_receipt_insert AFTER INSERT ON receipt WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('receipt', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_allocation_insert AFTER INSERT ON allocation WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('allocation', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_refund_insert AFTER INSERT ON refund WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('refund', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;

CREATE TRIGGER archive_refund_part_insert AFTER INSERT ON refund_part WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('refund_part', json_object('org_id', NEW.org_id, 'refund_id', NEW.refund_id, 'original_id', NEW.original_id)); END;

CREATE TRIGGER archive_event_insert AFTER INSERT ON event WHEN NEW.action <> 'invoice.create' AND (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('event', json_object('id', NEW.id)); END;

CREATE TRIGGER archive_event_update AFTER UPDATE ON event WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('event', json_object('id', NEW.id)); END;

CREATE TRIGGER invoice_is_final BEFORE UPDATE ON invoice
WHEN OLD.place IS NOT NEW.place OR OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id
  OR OLD.ref_key IS NOT NEW.ref_key OR OLD.tail IS NOT NEW.tail OR OLD.key_folded IS NOT NEW.key_folded OR OLD.buyer_text IS NOT NEW.buyer_text
  OR (OLD.task_id IS NOT NEW.task_id OR OLD.device_id IS NOT NEW.device_id
    OR OLD.counter IS NOT NEW.counter OR OLD.hash IS NOT NEW.hash OR OLD.previous_hash IS NOT NEW.previous_hash
    OR OLD.ref_num IS NOT NEW.ref_num OR OLD.type_code IS NOT NEW.type_code OR OLD.transaction_code IS NOT NEW.transaction_code
    OR OLD.issue_date IS NOT NEW.issue_date OR OLD.issue_time IS NOT NEW.issue_time OR OLD.issued_at IS NOT NEW.issued_at
    OR OLD.currency IS NOT NEW.currency OR OLD.buyer_id IS NOT NEW.buyer_id OR OLD.buyer_name IS NOT NEW.buyer_name OR OLD.without_vat IS NOT NEW.without_vat
    OR OLD.vat IS NOT NEW.vat OR OLD.with_vat IS NOT NEW.with_vat OR OLD.payable IS NOT NEW.payable
    OR OLD.idempotency_key IS NOT NEW.idempotency_key OR OLD.body_digest IS NOT NEW.body_digest OR OLD.created_at IS NOT NEW.created_at
    OR (OLD.status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED') AND (OLD.status IS NOT NEW.status OR OLD.code IS NOT NEW.code)))
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE TRIGGER invoice_answer_is_final BEFORE UPDATE ON invoice
WHEN OLD.status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED') AND (OLD.submitted_at IS NOT NEW.submitted_at OR OLD.answered_at IS NOT NEW.answered_at)
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE TRIGGER invoice_code_is_final BEFORE UPDATE ON invoice
WHEN OLD.cleared_qr IS NOT NULL AND OLD.cleared_qr IS NOT NEW.cleared_qr
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE TRIGGER invoice_answer_digest_is_final BEFORE UPDATE ON invoice
WHEN OLD.answer_digest IS NOT NULL AND OLD.answer_digest IS NOT NEW.answer_digest AND NOT (OLD.cleared_qr IS NULL AND NEW.cleared_qr IS NOT NULL AND NEW.answer_digest IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE TRIGGER document_is_final BEFORE UPDATE ON document
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id
  OR (OLD.record IS NOT NEW.record OR OLD.xml IS NOT NEW.xml OR OLD.qr IS NOT NEW.qr
    OR OLD.digest IS NOT NULL OR OLD.xml_digest IS NOT NULL OR NEW.digest IS NULL OR NEW.xml_digest IS NULL)
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.invoice_id)
BEGIN SELECT RAISE(ABORT, 'signed bytes never change'); END;

CREATE TRIGGER verdict_is_final BEFORE UPDATE ON verdict
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id
  OR NEW.digest IS NULL OR (NEW.stamped IS NULL) <> (NEW.stamped_digest IS NULL)
  OR (OLD.attempt IS NOT NEW.attempt OR OLD.route IS NOT NEW.route
    OR OLD.status IS NOT NEW.status OR OLD.code IS NOT NEW.code OR OLD.result IS NOT NEW.result OR OLD.infos IS NOT NEW.infos
    OR OLD.warnings IS NOT NEW.warnings OR OLD.errors IS NOT NEW.errors OR OLD.suspect IS NOT NEW.suspect OR OLD.answered_at IS NOT NEW.answered_at
    OR (OLD.stamped IS NOT NULL AND OLD.stamped IS NOT NEW.stamped) OR (OLD.flag IS NOT NEW.flag AND (NEW.flag <> '' OR NEW.stamped IS NULL))
    OR (OLD.digest IS NOT NULL AND OLD.digest IS NOT NEW.digest)
    OR (OLD.stamped_digest IS NOT NULL AND OLD.stamped_digest IS NOT NEW.stamped_digest))
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.invoice_id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;

CREATE TABLE heartbeat (
  server TEXT PRIMARY KEY CHECK (server <> ''),
  number INTEGER NOT NULL CHECK (number >= 1),
  token  TEXT NOT NULL CHECK (token <> '')
) STRICT;

CREATE TABLE archive_begin (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  token TEXT NOT NULL CHECK (token <> '')
) STRICT;

INSERT INTO continuity (one, generation, identity, stopped_at, reason, trail_head, synchronous) VALUES (1, 0, NULL, NULL, '', NULL, NULL);

INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (1, 0, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (2, 1, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (3, 2, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (4, 3, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (5, 4, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (6, 5, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (7, 6, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (8, 7, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (9, 8, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (10, 9, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (11, 10, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (12, 11, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (13, 12, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (14, 13, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (15, 14, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (16, 15, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (17, 16, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (18, 17, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (19, 18, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (20, 19, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (21, 20, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (22, 21, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (23, 22, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (24, 23, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (25, 24, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (26, 25, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (27, 26, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (28, 27, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (29, 28, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (30, 29, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (31, 30, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (32, 31, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (33, 32, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (34, 33, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (35, 34, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (36, 35, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (37, 36, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (38, 37, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (39, 38, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (40, 39, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (41, 40, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (42, 41, 1);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (43, 42, 1);

INSERT INTO scrub (one, after_org, after_invoice, documents, lease_until, completed_at) VALUES (1, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', 0, 0, NULL);
