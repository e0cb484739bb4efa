-- +goose Up

-- A draft that is being issued stays as it is until that has ended, or until a
-- time that says it never will.
ALTER TABLE draft ADD COLUMN issuing TEXT CHECK (issuing IS NULL OR issuing::json IS NOT NULL);

-- Of a draft that was removed nothing is kept of what it said.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION draft_keeps_its_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.id IS DISTINCT FROM NEW.id OR OLD.created_by IS DISTINCT FROM NEW.created_by OR OLD.created_at IS DISTINCT FROM NEW.created_at
  OR NEW.version < OLD.version OR (OLD.removed = 1 AND NEW.removed = 0)
  OR (OLD.invoice_id IS NOT NULL AND OLD.invoice_id IS DISTINCT FROM NEW.invoice_id)
  OR ((OLD.approval IS NOT NULL OR OLD.invoice_id IS NOT NULL) AND NOT (NEW.removed = 1 AND OLD.invoice_id IS NULL AND NEW.request = '{}' AND NEW.recipient = '{}' AND NEW.shown IS NULL AND NEW.approval IS NULL)
    AND (OLD.approval IS DISTINCT FROM NEW.approval OR OLD.version IS DISTINCT FROM NEW.version
    OR OLD.request IS DISTINCT FROM NEW.request OR OLD.recipient IS DISTINCT FROM NEW.recipient OR OLD.shown IS DISTINCT FROM NEW.shown OR OLD.xml IS DISTINCT FROM NEW.xml)) THEN
    RAISE EXCEPTION 'an approved or issued draft never changes';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
UPDATE draft SET request = '{}', recipient = '{}', shown = NULL, xml = NULL, approval = NULL WHERE removed = 1;
