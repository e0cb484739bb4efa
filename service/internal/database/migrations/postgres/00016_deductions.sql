-- +goose Up

-- An advance can be deducted by several invoices. Each deduction contains its
-- amounts by VAT category. A deduction without amounts is from before this
-- version and took all that was left of the advance.
DROP INDEX deduction_once;
ALTER TABLE deduction ADD COLUMN vat_rows TEXT CHECK (vat_rows IS NULL OR vat_rows::json IS NOT NULL);

-- +goose StatementBegin
CREATE FUNCTION deduction_has_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.vat_rows IS NULL THEN
    RAISE EXCEPTION 'a deduction is stored with its amounts' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER deduction_has_amounts BEFORE INSERT ON deduction FOR EACH ROW EXECUTE FUNCTION deduction_has_amounts();
-- +goose StatementBegin
CREATE FUNCTION deduction_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.org_id, OLD.advance_id, OLD.invoice_id, OLD.vat_rows) IS DISTINCT FROM (NEW.org_id, NEW.advance_id, NEW.invoice_id, NEW.vat_rows)
    OR NEW.released < OLD.released THEN
    RAISE EXCEPTION 'a deduction changes only by being released';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER deduction_is_final BEFORE UPDATE ON deduction FOR EACH ROW EXECUTE FUNCTION deduction_is_final();
