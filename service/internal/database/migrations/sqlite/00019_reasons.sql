-- +goose Up

-- Days from the issue until an invoice with these payment terms is due; null if
-- the terms do not say, so that the settings of the organisation apply.
ALTER TABLE reason ADD COLUMN due_days INTEGER CHECK (due_days BETWEEN 0 AND 365);
