-- +goose Up

-- Whoever holds an organisation's row writes the next documents of it.
CREATE TABLE book (
  org_id    UUID    PRIMARY KEY REFERENCES organisation (id),
  documents BIGINT NOT NULL CHECK (documents >= 0)
);

-- The numbers of one kind of document. They have no gaps and begin anew each
-- year; prefix and first number are settled before the first document.
CREATE TABLE series (
  org_id UUID    NOT NULL REFERENCES organisation (id),
  kind   TEXT    NOT NULL CHECK (kind IN ('INV', 'CRN', 'DBN', 'ADV')),
  prefix TEXT    NOT NULL CHECK (prefix <> ''),
  first  BIGINT NOT NULL CHECK (first > 0),
  year   BIGINT NOT NULL CHECK (year >= 0),
  last   BIGINT NOT NULL CHECK (last >= 0),
  PRIMARY KEY (org_id, kind)
);

-- What invoices say of their buyers, each text once: invoices are searched by it.
-- There are few buyers and many invoices, and an index of words is dear.
CREATE TABLE buyer_text (
  place  BIGINT PRIMARY KEY CHECK (place > 0),
  org_id UUID    NOT NULL REFERENCES organisation (id),
  digest BYTEA NOT NULL CHECK (length(digest) = 32),
  folded TEXT NOT NULL,
  UNIQUE (org_id, digest)
);
CREATE INDEX buyer_text_search ON buyer_text USING gin ((place >> 14), folded gin_trgm_ops) WITH (fastupdate = off);

-- Invoices: what they are, which never changes, and what became of them.
CREATE TABLE invoice (
  place              BIGINT  PRIMARY KEY CHECK (place > 0),
  org_id             UUID    NOT NULL REFERENCES organisation (id),
  id                 UUID    NOT NULL,
  task_id            UUID    NOT NULL,
  device_id          UUID    NOT NULL,
  counter            BIGINT NOT NULL CHECK (counter > 0),
  hash               TEXT    NOT NULL CHECK (length(hash) = 44),
  previous_hash      TEXT    NOT NULL CHECK (length(previous_hash) >= 44),
  ref_num            TEXT    NOT NULL CHECK (ref_num <> ''),
  type_code          BIGINT NOT NULL CHECK (type_code IN (388, 381, 383, 386)),
  transaction_code   TEXT    NOT NULL CHECK (transaction_code IN ('0100000', '0200000', '0100100')),
  issue_date         TEXT    NOT NULL CHECK (issue_date LIKE '____-__-__'),
  issue_time         TEXT    NOT NULL CHECK (issue_time LIKE '__:__:__'),
  issued_at          BIGINT NOT NULL,
  currency           TEXT    NOT NULL CHECK (length(currency) = 3),
  buyer_id           UUID,
  buyer_name         TEXT    NOT NULL,
  without_vat        TEXT    NOT NULL,
  vat                TEXT    NOT NULL,
  with_vat           TEXT    NOT NULL,
  payable            TEXT    NOT NULL,
  idempotency_key    TEXT             CHECK (idempotency_key <> ''),
  body_digest        BYTEA    NOT NULL CHECK (length(body_digest) = 32),
  ref_key            TEXT COLLATE "C" NOT NULL CHECK (ref_key <> ''), -- ref_num, folded
  tail               BIGINT NOT NULL CHECK (tail >= 0), -- the number that ref_num ends with
  key_folded         TEXT COLLATE "C"          CHECK (key_folded <> ''), -- idempotency_key, folded
  buyer_text         BIGINT REFERENCES buyer_text (place),
  created_at         BIGINT NOT NULL,
  status             TEXT             CHECK (status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED', 'No response')),
  code               BIGINT          CHECK (code BETWEEN 100 AND 599),
  submitted_at       BIGINT,
  answered_at        BIGINT,
  payment            TEXT    NOT NULL CHECK (payment IN ('Pending', 'Partially Paid', 'Paid')),
  UNIQUE (org_id, id),
  -- A counter that is used twice is a repeat, a hash that is followed twice is
  -- a fork. Neither can be written.
  UNIQUE (org_id, device_id, counter),
  UNIQUE (org_id, device_id, previous_hash),
  UNIQUE (org_id, ref_num),
  UNIQUE (org_id, idempotency_key),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
);
CREATE INDEX invoice_status ON invoice (org_id, status, id);
CREATE INDEX invoice_number ON invoice (org_id, ref_key);
CREATE INDEX invoice_tail ON invoice (org_id, tail);
CREATE INDEX invoice_ticket ON invoice (org_id, key_folded) WHERE key_folded IS NOT NULL;
CREATE INDEX invoice_buyer ON invoice (buyer_text, place) WHERE buyer_text IS NOT NULL;

-- The bytes and the record of an invoice, apart from its row.
CREATE TABLE document (
  org_id     UUID NOT NULL,
  invoice_id UUID NOT NULL,
  record     TEXT NOT NULL CHECK (record::json IS NOT NULL),
  xml        BYTEA NOT NULL CHECK (length(xml) > 0),
  qr         TEXT NOT NULL CHECK (qr <> ''),
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
);

-- VAT by category, in the document's currency and in riyals: what reports add up.
CREATE TABLE vat_row (
  org_id      UUID    NOT NULL,
  invoice_id  UUID    NOT NULL,
  position    BIGINT NOT NULL CHECK (position > 0),
  category    TEXT    NOT NULL CHECK (category IN ('S', 'Z', 'E', 'O')),
  rate        TEXT    NOT NULL,
  reason_code TEXT    NOT NULL,
  taxable     TEXT    NOT NULL,
  vat         TEXT    NOT NULL,
  taxable_sar TEXT    NOT NULL,
  vat_sar     TEXT    NOT NULL,
  PRIMARY KEY (org_id, invoice_id, position),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
);

-- What was asked for lately, so that the same is not issued twice by accident.
CREATE TABLE guard (
  org_id     UUID    NOT NULL REFERENCES organisation (id),
  digest     BYTEA    NOT NULL CHECK (length(digest) = 32),
  invoice_id UUID    NOT NULL,
  until      BIGINT NOT NULL,
  PRIMARY KEY (org_id, digest)
);
CREATE INDEX guard_end ON guard (until);

-- The sending of a document is the row's own state.
CREATE TABLE submission (
  org_id     UUID    NOT NULL,
  invoice_id UUID    NOT NULL,
  device_id  UUID    NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('queued', 'sending', 'waiting', 'held', 'done')),
  deadline   BIGINT NOT NULL,
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
);
CREATE INDEX submission_queued ON submission (deadline) WHERE state = 'queued';

-- How much of an original a credit note takes; released when the note is
-- rejected.
CREATE TABLE credit (
  org_id      UUID    NOT NULL,
  original_id UUID    NOT NULL,
  note_id     UUID    NOT NULL,
  amount      TEXT    NOT NULL,
  vat_rows    TEXT    NOT NULL CHECK (vat_rows::json IS NOT NULL),
  released    BIGINT NOT NULL CHECK (released IN (0, 1)),
  PRIMARY KEY (org_id, original_id, note_id),
  FOREIGN KEY (org_id, note_id) REFERENCES invoice (org_id, id)
);
CREATE INDEX credit_note ON credit (org_id, note_id);

-- Which invoice has deducted an advance. It is deducted once.
CREATE TABLE deduction (
  org_id     UUID    NOT NULL,
  advance_id UUID    NOT NULL,
  invoice_id UUID    NOT NULL,
  released   BIGINT NOT NULL CHECK (released IN (0, 1)),
  PRIMARY KEY (org_id, advance_id, invoice_id),
  FOREIGN KEY (org_id, advance_id) REFERENCES invoice (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
);
CREATE UNIQUE INDEX deduction_once ON deduction (org_id, advance_id) WHERE released = 0;
CREATE INDEX deduction_invoice ON deduction (org_id, invoice_id);

-- Invoices of an older system, which notes may refer to.
CREATE TABLE earlier_invoice (
  org_id     UUID    NOT NULL REFERENCES organisation (id),
  id         UUID    NOT NULL,
  number     TEXT    NOT NULL CHECK (number <> ''),
  issue_date TEXT    NOT NULL CHECK (issue_date LIKE '____-__-__'),
  simplified BIGINT NOT NULL CHECK (simplified IN (0, 1)),
  buyer_id   UUID,
  currency   TEXT    NOT NULL CHECK (length(currency) = 3),
  with_vat   TEXT    NOT NULL,
  vat_rows   TEXT    NOT NULL CHECK (vat_rows::json IS NOT NULL),
  created_at BIGINT NOT NULL,
  UNIQUE (org_id, number),
  PRIMARY KEY (org_id, id)
);

-- Remarks that people keep against an invoice.
CREATE TABLE remark (
  org_id     UUID    NOT NULL,
  id         UUID    NOT NULL,
  invoice_id UUID    NOT NULL,
  title      TEXT    NOT NULL CHECK (title <> ''),
  details    TEXT    NOT NULL,
  created_at BIGINT NOT NULL,
  created_by TEXT    NOT NULL,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
);
CREATE INDEX remark_invoice ON remark (org_id, invoice_id, id);

-- Links by which an invoice is seen without a key: found by a digest.
CREATE TABLE share (
  digest     BYTEA    PRIMARY KEY CHECK (length(digest) = 32),
  org_id     UUID    NOT NULL,
  invoice_id UUID    NOT NULL,
  sealed     BYTEA    NOT NULL CHECK (length(sealed) > 60),
  expires_at BIGINT NOT NULL,
  revoked    BIGINT NOT NULL CHECK (revoked IN (0, 1)),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
);
CREATE INDEX share_invoice ON share (org_id, invoice_id);

-- +goose StatementBegin
CREATE FUNCTION invoice_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.place, OLD.org_id, OLD.id, OLD.task_id, OLD.device_id, OLD.counter, OLD.hash, OLD.previous_hash, OLD.ref_num, OLD.type_code, OLD.transaction_code, OLD.issue_date, OLD.issue_time, OLD.issued_at, OLD.currency, OLD.buyer_id, OLD.buyer_name, OLD.without_vat, OLD.vat, OLD.with_vat, OLD.payable, OLD.idempotency_key, OLD.body_digest, OLD.ref_key, OLD.tail, OLD.key_folded, OLD.buyer_text, OLD.created_at)
      IS DISTINCT FROM (NEW.place, NEW.org_id, NEW.id, NEW.task_id, NEW.device_id, NEW.counter, NEW.hash, NEW.previous_hash, NEW.ref_num, NEW.type_code, NEW.transaction_code, NEW.issue_date, NEW.issue_time, NEW.issued_at, NEW.currency, NEW.buyer_id, NEW.buyer_name, NEW.without_vat, NEW.vat, NEW.with_vat, NEW.payable, NEW.idempotency_key, NEW.body_digest, NEW.ref_key, NEW.tail, NEW.key_folded, NEW.buyer_text, NEW.created_at)
    OR (OLD.status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED') AND (OLD.status IS DISTINCT FROM NEW.status OR OLD.code IS DISTINCT FROM NEW.code)) THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER invoice_is_final BEFORE UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_is_final();
-- +goose StatementBegin
CREATE FUNCTION invoice_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an issued invoice and a final verdict never change';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER invoice_stays BEFORE DELETE ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_stays();
-- +goose StatementBegin
CREATE FUNCTION document_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'signed bytes never change';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER document_is_final BEFORE UPDATE ON document FOR EACH ROW EXECUTE FUNCTION document_is_final();
-- +goose StatementBegin
CREATE FUNCTION document_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'signed bytes never change';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER document_stays BEFORE DELETE ON document FOR EACH ROW EXECUTE FUNCTION document_stays();
-- +goose StatementBegin
CREATE FUNCTION vat_row_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an issued invoice and a final verdict never change';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER vat_row_is_final BEFORE UPDATE ON vat_row FOR EACH ROW EXECUTE FUNCTION vat_row_is_final();
-- +goose StatementBegin
CREATE FUNCTION vat_row_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an issued invoice and a final verdict never change';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER vat_row_stays BEFORE DELETE ON vat_row FOR EACH ROW EXECUTE FUNCTION vat_row_stays();
