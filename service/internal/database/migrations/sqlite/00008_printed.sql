-- +goose Up

-- The QR code of the document with the authority's stamp, which is the one to
-- print: it has that stamp in it, and is another than ours.
ALTER TABLE invoice ADD COLUMN cleared_qr TEXT CHECK (cleared_qr IS NULL OR cleared_qr <> '' AND status = 'CLEARED');

-- +goose StatementBegin
CREATE TRIGGER invoice_code_is_final BEFORE UPDATE ON invoice
WHEN OLD.cleared_qr IS NOT NULL AND OLD.cleared_qr IS NOT NEW.cleared_qr
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
