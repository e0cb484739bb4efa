-- +goose Up

-- Those that still wait were written before letters knew their draft: what
-- nobody is shown a draft for any more is not sent.
UPDATE letter SET state = 'expired', sealed = NULL, lease_until = NULL
WHERE state = 'queued' AND NOT EXISTS (
  SELECT 1
  FROM draft d
  JOIN draft_link l ON l.org_id = d.org_id AND l.draft_id = d.id AND l.revoked = 0
  WHERE d.org_id = letter.org_id AND d.removed = 0 AND d.recipient::json ->> 'email' = letter.recipient);

-- A letter knows the draft that it is about, and ends with its link.
ALTER TABLE letter ADD COLUMN draft_id UUID;
ALTER TABLE letter ADD FOREIGN KEY (org_id, draft_id) REFERENCES draft (org_id, id);
CREATE INDEX letter_about ON letter (org_id, draft_id) WHERE state = 'queued';

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION letter_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.id IS DISTINCT FROM NEW.id OR OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.draft_id IS DISTINCT FROM NEW.draft_id OR OLD.recipient IS DISTINCT FROM NEW.recipient
  OR OLD.created_at IS DISTINCT FROM NEW.created_at OR OLD.expires_at IS DISTINCT FROM NEW.expires_at OR NEW.attempts < OLD.attempts OR OLD.state <> 'queued' THEN
    RAISE EXCEPTION 'a letter ends once';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
