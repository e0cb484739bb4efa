-- +goose Up

-- Numbers of receipts and refunds. They have no gaps and begin anew each year.
CREATE TABLE receipt_series (
  org_id TEXT    NOT NULL REFERENCES organisation (id),
  kind   TEXT    NOT NULL CHECK (kind IN ('RCT', 'RFD')),
  year   INTEGER NOT NULL CHECK (year > 0),
  last   INTEGER NOT NULL CHECK (last > 0),
  PRIMARY KEY (org_id, kind)
) STRICT;

-- Money received, in hundredths of the currency. A reversal takes back another
-- receipt; a credit is a refund that the client keeps.
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

-- Which invoices a receipt pays. A negative amount takes back another row.
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

-- Money paid back on a credit note. The receipt is the credit of the client who
-- keeps the refund.
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

-- How much of a refund is for each original of the credit note.
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

-- +goose StatementBegin
CREATE TRIGGER receipt_is_final BEFORE UPDATE ON receipt
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER receipt_stays BEFORE DELETE ON receipt
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER allocation_is_final BEFORE UPDATE ON allocation
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER allocation_stays BEFORE DELETE ON allocation
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER refund_is_final BEFORE UPDATE ON refund
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER refund_stays BEFORE DELETE ON refund
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER refund_part_is_final BEFORE UPDATE ON refund_part
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER refund_part_stays BEFORE DELETE ON refund_part
BEGIN SELECT RAISE(ABORT, 'a payment is corrected by a reversal and never changes'); END;
-- +goose StatementEnd
