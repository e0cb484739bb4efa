-- +goose Up

-- The rejected invoice that a draft replaces. An invoice has one such draft that
-- is not removed.
ALTER TABLE draft ADD COLUMN corrects TEXT CHECK (length(corrects) = 36);
CREATE UNIQUE INDEX draft_corrects ON draft (org_id, corrects) WHERE corrects IS NOT NULL AND removed = 0;
CREATE INDEX draft_replacement ON draft (org_id, invoice_id) WHERE corrects IS NOT NULL AND invoice_id IS NOT NULL;

-- What waits for a person.
CREATE INDEX draft_approved ON draft (org_id, id) WHERE removed = 0 AND invoice_id IS NULL AND approval IS NOT NULL;
CREATE INDEX draft_declined ON draft (org_id, id) WHERE removed = 0 AND invoice_id IS NULL AND approval IS NULL AND decline IS NOT NULL;
CREATE INDEX letter_undelivered ON letter (org_id, created_at) WHERE state IN ('refused', 'expired') AND attempts > 0;

-- +goose StatementBegin
CREATE TRIGGER draft_corrects_a_rejected_invoice BEFORE INSERT ON draft
WHEN NEW.corrects IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM invoice WHERE org_id = NEW.org_id AND id = NEW.corrects AND status IN ('NOT_CLEARED', 'NOT_REPORTED'))
BEGIN SELECT RAISE(ABORT, 'only a rejected invoice is corrected by a draft'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER draft_keeps_its_correction BEFORE UPDATE ON draft
WHEN OLD.corrects IS NOT NEW.corrects
BEGIN SELECT RAISE(ABORT, 'a draft corrects the same invoice until its end'); END;
-- +goose StatementEnd
