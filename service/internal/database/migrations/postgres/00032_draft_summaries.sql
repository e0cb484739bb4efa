-- +goose Up

-- What a list shows of the invoice of a draft, as of the last change, and the
-- folded names of the client for searches. Drafts of earlier versions have none
-- until they are changed. A removed draft has none.
ALTER TABLE draft ADD COLUMN summary TEXT CHECK (summary IS NULL OR summary::json IS NOT NULL) CHECK (summary IS NULL OR removed = 0);
ALTER TABLE draft ADD COLUMN folded TEXT CHECK ((folded IS NULL) = (summary IS NULL));
CREATE INDEX draft_unissued ON draft (org_id, id) WHERE removed = 0 AND invoice_id IS NULL;

-- An approved or issued draft keeps its summary.
-- +goose StatementBegin
CREATE FUNCTION draft_keeps_its_summary() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.approval IS NOT NULL OR OLD.invoice_id IS NOT NULL) AND NEW.removed = 0
  AND (OLD.summary IS DISTINCT FROM NEW.summary OR OLD.folded IS DISTINCT FROM NEW.folded) THEN
    RAISE EXCEPTION 'an approved or issued draft never changes';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER draft_keeps_its_summary BEFORE UPDATE ON draft FOR EACH ROW EXECUTE FUNCTION draft_keeps_its_summary();
