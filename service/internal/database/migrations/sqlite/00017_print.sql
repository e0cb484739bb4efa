-- +goose Up

-- What an organisation wants printed on its documents, such as the amount in words.
ALTER TABLE organisation ADD COLUMN settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings));

-- Addresses in Arabic, which are printed on Arabic pages. Numbers are the same in
-- both languages.
ALTER TABLE organisation ADD COLUMN street_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE organisation ADD COLUMN additional_street_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE organisation ADD COLUMN district_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE organisation ADD COLUMN city_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE organisation ADD COLUMN province_state_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE branch ADD COLUMN street_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE branch ADD COLUMN additional_street_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE branch ADD COLUMN district_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE branch ADD COLUMN city_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE branch ADD COLUMN province_state_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN street_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN additional_street_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN district_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN city_arabic TEXT NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN province_state_arabic TEXT NOT NULL DEFAULT '';
