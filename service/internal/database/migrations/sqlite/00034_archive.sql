-- +goose Up

-- The archive of this installation, in which every document must be before it is
-- acknowledged or sent. No row if the installation has no archive.
CREATE TABLE archive (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  location TEXT    NOT NULL CHECK (location <> ''),
  epoch    INTEGER NOT NULL, -- of the archive, in which this database is written
  since    INTEGER NOT NULL
) STRICT;

-- What is committed and not in the archive yet: documents, and the keys of other
-- rows that were inserted, changed or deleted. Of two entries about a row the
-- later one has the higher seq.
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

-- Rows that are not written by the append of a document are archived as they are
-- after each change. Rows that an append inserts are archived with the document.
-- +goose StatementBegin
CREATE TRIGGER archive_installation_update AFTER UPDATE OF environment, master_key, clock_accepted_at ON installation WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('installation', json_object('one', NEW.one)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_plan_insert AFTER INSERT ON plan WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('plan', json_object('slug', NEW.slug)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_plan_update AFTER UPDATE ON plan WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('plan', json_object('slug', NEW.slug)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_plan_delete AFTER DELETE ON plan WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('plan', json_object('slug', OLD.slug)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_organisation_insert AFTER INSERT ON organisation WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('organisation', json_object('id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_organisation_update AFTER UPDATE ON organisation WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('organisation', json_object('id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_person_insert AFTER INSERT ON person WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('person', json_object('id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_person_update AFTER UPDATE ON person WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('person', json_object('id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_membership_insert AFTER INSERT ON membership WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('membership', json_object('org_id', NEW.org_id, 'person_id', NEW.person_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_membership_update AFTER UPDATE ON membership WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('membership', json_object('org_id', NEW.org_id, 'person_id', NEW.person_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_membership_delete AFTER DELETE ON membership WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('membership', json_object('org_id', OLD.org_id, 'person_id', OLD.person_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_second_factor_insert AFTER INSERT ON second_factor WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('second_factor', json_object('person_id', NEW.person_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_second_factor_update AFTER UPDATE ON second_factor WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('second_factor', json_object('person_id', NEW.person_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_second_factor_delete AFTER DELETE ON second_factor WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('second_factor', json_object('person_id', OLD.person_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_recovery_code_insert AFTER INSERT ON recovery_code WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('recovery_code', json_object('person_id', NEW.person_id, 'digest', lower(hex(NEW.digest)))); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_recovery_code_update AFTER UPDATE ON recovery_code WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('recovery_code', json_object('person_id', NEW.person_id, 'digest', lower(hex(NEW.digest)))); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_recovery_code_delete AFTER DELETE ON recovery_code WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('recovery_code', json_object('person_id', OLD.person_id, 'digest', lower(hex(OLD.digest)))); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_api_key_insert AFTER INSERT ON api_key WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('api_key', json_object('name', NEW.name)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_api_key_update AFTER UPDATE ON api_key WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('api_key', json_object('name', NEW.name)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_branch_insert AFTER INSERT ON branch WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('branch', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_branch_update AFTER UPDATE ON branch WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('branch', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_reason_insert AFTER INSERT ON reason WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('reason', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_reason_update AFTER UPDATE ON reason WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('reason', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_client_insert AFTER INSERT ON client WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('client', json_object('place', NEW.place)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_client_update AFTER UPDATE ON client WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('client', json_object('place', NEW.place)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_item_insert AFTER INSERT ON item WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('item', json_object('place', NEW.place)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_item_update AFTER UPDATE ON item WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('item', json_object('place', NEW.place)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_earlier_invoice_insert AFTER INSERT ON earlier_invoice WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('earlier_invoice', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_earlier_invoice_update AFTER UPDATE ON earlier_invoice WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('earlier_invoice', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_saved_view_insert AFTER INSERT ON saved_view WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('saved_view', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_saved_view_update AFTER UPDATE ON saved_view WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('saved_view', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_saved_view_delete AFTER DELETE ON saved_view WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('saved_view', json_object('org_id', OLD.org_id, 'id', OLD.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_device_insert AFTER INSERT ON device WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('device', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_device_update AFTER UPDATE ON device WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('device', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_secret_insert AFTER INSERT ON secret WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('secret', json_object('org_id', NEW.org_id, 'purpose', NEW.purpose, 'owner', NEW.owner)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_secret_update AFTER UPDATE ON secret WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('secret', json_object('org_id', NEW.org_id, 'purpose', NEW.purpose, 'owner', NEW.owner)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_secret_delete AFTER DELETE ON secret WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('secret', json_object('org_id', OLD.org_id, 'purpose', OLD.purpose, 'owner', OLD.owner)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_certificate_insert AFTER INSERT ON certificate WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('certificate', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'token', NEW.token)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_certificate_update AFTER UPDATE ON certificate WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('certificate', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'token', NEW.token)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_enrolment_insert AFTER INSERT ON enrolment WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('enrolment', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'renewal', NEW.renewal)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_enrolment_update AFTER UPDATE ON enrolment WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('enrolment', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'renewal', NEW.renewal)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_enrolment_delete AFTER DELETE ON enrolment WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('enrolment', json_object('org_id', OLD.org_id, 'device_id', OLD.device_id, 'renewal', OLD.renewal)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_chain_insert AFTER INSERT ON chain WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('chain', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_gap_insert AFTER INSERT ON gap WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('gap', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'first', NEW.first)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_number_gap_insert AFTER INSERT ON number_gap WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('number_gap', json_object('org_id', NEW.org_id, 'series', NEW.series, 'first', NEW.first)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_clock_release_insert AFTER INSERT ON clock_release WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('clock_release', json_object('org_id', NEW.org_id, 'device_id', NEW.device_id, 'counter', NEW.counter)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_series_insert AFTER INSERT ON series WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('series', json_object('org_id', NEW.org_id, 'kind', NEW.kind)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_series_update AFTER UPDATE OF prefix, first, ahead ON series WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('series', json_object('org_id', NEW.org_id, 'kind', NEW.kind)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_usage_insert AFTER INSERT ON usage WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('usage', json_object('org_id', NEW.org_id, 'month', NEW.month)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_usage_update AFTER UPDATE OF validations ON usage WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('usage', json_object('org_id', NEW.org_id, 'month', NEW.month)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_buyer_text_insert AFTER INSERT ON buyer_text WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('buyer_text', json_object('place', NEW.place)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_invoice_update AFTER UPDATE ON invoice WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('invoice', json_object('place', NEW.place)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_document_update AFTER UPDATE ON document WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('document', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_submission_update AFTER UPDATE ON submission WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('submission', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_share_update AFTER UPDATE ON share WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('share', json_object('digest', lower(hex(NEW.digest)))); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_credit_update AFTER UPDATE ON credit WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('credit', json_object('org_id', NEW.org_id, 'original_id', NEW.original_id, 'note_id', NEW.note_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_deduction_update AFTER UPDATE ON deduction WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('deduction', json_object('org_id', NEW.org_id, 'advance_id', NEW.advance_id, 'invoice_id', NEW.invoice_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_attempt_insert AFTER INSERT ON attempt WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('attempt', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id, 'number', NEW.number)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_attempt_update AFTER UPDATE ON attempt WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('attempt', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id, 'number', NEW.number)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_verdict_insert AFTER INSERT ON verdict WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('verdict', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_verdict_update AFTER UPDATE ON verdict WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('verdict', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_copy_request_insert AFTER INSERT ON copy_request WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('copy_request', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_copy_request_update AFTER UPDATE ON copy_request WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('copy_request', json_object('org_id', NEW.org_id, 'invoice_id', NEW.invoice_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_remark_insert AFTER INSERT ON remark WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('remark', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_remark_update AFTER UPDATE ON remark WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('remark', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_remark_delete AFTER DELETE ON remark WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('remark', json_object('org_id', OLD.org_id, 'id', OLD.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_draft_insert AFTER INSERT ON draft WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('draft', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_draft_update AFTER UPDATE ON draft WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('draft', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_draft_link_insert AFTER INSERT ON draft_link WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('draft_link', json_object('digest', lower(hex(NEW.digest)))); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_draft_link_update AFTER UPDATE ON draft_link WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('draft_link', json_object('digest', lower(hex(NEW.digest)))); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_receipt_series_insert AFTER INSERT ON receipt_series WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('receipt_series', json_object('org_id', NEW.org_id, 'kind', NEW.kind)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_receipt_series_update AFTER UPDATE ON receipt_series WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('receipt_series', json_object('org_id', NEW.org_id, 'kind', NEW.kind)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_receipt_insert AFTER INSERT ON receipt WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('receipt', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_allocation_insert AFTER INSERT ON allocation WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('allocation', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_refund_insert AFTER INSERT ON refund WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('refund', json_object('org_id', NEW.org_id, 'id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_refund_part_insert AFTER INSERT ON refund_part WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('refund_part', json_object('org_id', NEW.org_id, 'refund_id', NEW.refund_id, 'original_id', NEW.original_id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_event_insert AFTER INSERT ON event WHEN NEW.action <> 'invoice.create' AND (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('event', json_object('id', NEW.id)); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER archive_event_update AFTER UPDATE ON event WHEN (SELECT 1 FROM archive)
BEGIN INSERT INTO unarchived (name, key) VALUES ('event', json_object('id', NEW.id)); END;
-- +goose StatementEnd
