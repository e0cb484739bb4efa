-- +goose Up

-- Codes of an item: the seller's own number, and the one on its package. Empty if
-- it has none.
ALTER TABLE item ADD COLUMN sku TEXT NOT NULL DEFAULT '' CHECK (length(sku) <= 64);
ALTER TABLE item ADD COLUMN barcode TEXT NOT NULL DEFAULT '' CHECK (length(barcode) <= 64);
CREATE UNIQUE INDEX item_sku ON item (org_id, sku) WHERE sku <> '';
CREATE UNIQUE INDEX item_barcode ON item (org_id, barcode) WHERE barcode <> '';
