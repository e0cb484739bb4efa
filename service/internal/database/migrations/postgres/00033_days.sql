-- +goose Up

-- The documents of a day, which are added up. The day is an expression, so that
-- lists, which are in the order of ids, are not read with this index.
CREATE INDEX invoice_day ON invoice (org_id, (substr(issue_date, 1, 10)));
