-- +goose Up

-- What a list shows of the invoice of a draft, as of the last change, and the
-- folded names of the client for searches. Drafts of earlier versions have none
-- until they are changed. A removed draft has none.
ALTER TABLE draft ADD COLUMN summary TEXT CHECK (json_valid(summary)) CHECK (summary IS NULL OR removed = 0);
ALTER TABLE draft ADD COLUMN folded TEXT CHECK ((folded IS NULL) = (summary IS NULL));
CREATE INDEX draft_unissued ON draft (org_id, id) WHERE removed = 0 AND invoice_id IS NULL;

-- An approved or issued draft keeps its summary.
-- +goose StatementBegin
CREATE TRIGGER draft_keeps_its_summary BEFORE UPDATE ON draft
WHEN (OLD.approval IS NOT NULL OR OLD.invoice_id IS NOT NULL) AND NEW.removed = 0
  AND (OLD.summary IS NOT NEW.summary OR OLD.folded IS NOT NEW.folded)
BEGIN SELECT RAISE(ABORT, 'an approved or issued draft never changes'); END;
-- +goose StatementEnd
