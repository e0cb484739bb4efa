-- +goose Up

-- The QR code of the document with the authority's stamp, which is the one to
-- print: it has that stamp in it, and is another than ours.
ALTER TABLE invoice ADD COLUMN cleared_qr TEXT CHECK (cleared_qr IS NULL OR cleared_qr <> '' AND status = 'CLEARED');

-- +goose StatementBegin
CREATE FUNCTION invoice_code_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.cleared_qr IS NOT NULL AND OLD.cleared_qr IS DISTINCT FROM NEW.cleared_qr THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER invoice_code_is_final BEFORE UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_code_is_final();
