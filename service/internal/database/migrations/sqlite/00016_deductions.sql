-- +goose Up

-- An advance can be deducted by several invoices. Each deduction contains its
-- amounts by VAT category. A deduction without amounts is from before this
-- version and took all that was left of the advance.
DROP INDEX deduction_once;
ALTER TABLE deduction ADD COLUMN vat_rows TEXT CHECK (json_valid(vat_rows));

-- +goose StatementBegin
CREATE TRIGGER deduction_has_amounts BEFORE INSERT ON deduction
WHEN NEW.vat_rows IS NULL
BEGIN SELECT RAISE(ABORT, 'a deduction is stored with its amounts'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER deduction_is_final BEFORE UPDATE ON deduction
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.advance_id IS NOT NEW.advance_id OR OLD.invoice_id IS NOT NEW.invoice_id
  OR OLD.vat_rows IS NOT NEW.vat_rows OR NEW.released < OLD.released
BEGIN SELECT RAISE(ABORT, 'a deduction changes only by being released'); END;
-- +goose StatementEnd
