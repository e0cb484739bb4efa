-- +goose Up

-- Which way a document goes, whose turn it is, and when it is tried again. The
-- number of attempts is the token: whoever comes back with an older one has
-- lost the turn.
ALTER TABLE submission ADD COLUMN route       TEXT    NOT NULL DEFAULT 'clearance' CHECK (route IN ('clearance', 'reporting'));
ALTER TABLE submission ADD COLUMN expires_at  BIGINT;
ALTER TABLE submission ADD COLUMN attempts    BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0);
ALTER TABLE submission ADD COLUMN failures    BIGINT NOT NULL DEFAULT 0 CHECK (failures >= 0);
ALTER TABLE submission ADD COLUMN lease_until BIGINT CHECK ((state = 'sending') = (lease_until IS NOT NULL));
ALTER TABLE submission ADD COLUMN due_at      BIGINT CHECK (state <> 'waiting' OR due_at IS NOT NULL);
ALTER TABLE submission ADD COLUMN doubt_at    BIGINT;
ALTER TABLE submission ADD COLUMN asked       BIGINT NOT NULL DEFAULT 0 CHECK (asked IN (0, 1));
ALTER TABLE submission ADD COLUMN stopped     TEXT    NOT NULL DEFAULT '' CHECK (stopped IN ('', 'in doubt', 'too large') AND (stopped = '' OR state = 'held'));
UPDATE submission SET route = 'reporting', expires_at = deadline + 14400000
WHERE EXISTS (SELECT 1 FROM invoice i WHERE i.org_id = submission.org_id AND i.id = submission.invoice_id AND i.transaction_code = '0200000');

-- Only the rows that wait are in these, however many are done.
DROP INDEX submission_queued;
CREATE INDEX submission_queued  ON submission (route, org_id, deadline) WHERE state = 'queued';
CREATE INDEX submission_urgent  ON submission (expires_at) WHERE state = 'queued' AND expires_at IS NOT NULL;
CREATE INDEX submission_waiting ON submission (due_at) WHERE state = 'waiting';
CREATE INDEX submission_lease   ON submission (lease_until) WHERE state = 'sending';
CREATE INDEX submission_doubt   ON submission (doubt_at) WHERE state IN ('queued', 'waiting', 'held') AND doubt_at IS NOT NULL AND asked = 0 AND stopped = '';
CREATE INDEX submission_held    ON submission (org_id, device_id, deadline) WHERE state = 'held' AND stopped = '';
CREATE INDEX submission_device  ON submission (org_id, device_id) WHERE state IN ('queued', 'waiting');
CREATE INDEX submission_stopped ON submission (org_id, invoice_id) WHERE stopped <> '';
CREATE INDEX submission_open    ON submission (expires_at, deadline) WHERE state <> 'done';

-- A parked device is tried with one document now and then.
ALTER TABLE device ADD COLUMN probe_at BIGINT;
ALTER TABLE device ADD COLUMN probes   BIGINT NOT NULL DEFAULT 0 CHECK (probes >= 0);
CREATE INDEX device_parked ON device (org_id, id) WHERE parked = 1;

-- Every try to send a document: written before it is sent, ended once.
CREATE TABLE attempt (
  org_id     UUID    NOT NULL,
  invoice_id UUID    NOT NULL,
  number     BIGINT NOT NULL CHECK (number > 0),
  route      TEXT    NOT NULL CHECK (route IN ('clearance', 'reporting')),
  worker     TEXT    NOT NULL,
  claimed_at BIGINT NOT NULL,
  lapsed_at  BIGINT,
  ended_at   BIGINT,
  outcome    TEXT             CHECK (outcome IN ('accepted', 'duplicate', 'rejected', 'reporting', 'unauthorised', 'throttled', 'too large', 'unknown')),
  sent       BIGINT NOT NULL CHECK (sent IN (0, 1)),
  code       BIGINT          CHECK (code BETWEEN 100 AND 999),
  took       BIGINT NOT NULL CHECK (took >= 0),
  cause      TEXT    NOT NULL,
  raw        BYTEA,
  CHECK ((ended_at IS NULL) = (outcome IS NULL)),
  PRIMARY KEY (org_id, invoice_id, number),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
);

-- The authority's final word on a document.
CREATE TABLE verdict (
  org_id      UUID    NOT NULL,
  invoice_id  UUID    NOT NULL,
  attempt     BIGINT NOT NULL CHECK (attempt > 0),
  route       TEXT    NOT NULL CHECK (route IN ('clearance', 'reporting')),
  status      TEXT    NOT NULL CHECK (status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED')),
  code        BIGINT NOT NULL CHECK (code IN (200, 202, 400)),
  result      TEXT    NOT NULL,
  infos       TEXT    NOT NULL CHECK (infos::json IS NOT NULL),
  warnings    TEXT    NOT NULL CHECK (warnings::json IS NOT NULL),
  errors      TEXT    NOT NULL CHECK (errors::json IS NOT NULL),
  stamped     BYTEA             CHECK (stamped IS NULL OR length(stamped) > 0 AND status = 'CLEARED'),
  suspect     BYTEA,
  flag        TEXT    NOT NULL CHECK (flag IN ('', 'no document', 'bad document')),
  answered_at BIGINT NOT NULL,
  CHECK ((status IN ('NOT_CLEARED', 'NOT_REPORTED')) = (code = 400)),
  CHECK ((status = 'CLEARED' AND stamped IS NULL) = (flag <> '')),
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id, attempt) REFERENCES attempt (org_id, invoice_id, number)
);

-- +goose StatementBegin
CREATE FUNCTION invoice_answer_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED') AND (OLD.submitted_at IS DISTINCT FROM NEW.submitted_at OR OLD.answered_at IS DISTINCT FROM NEW.answered_at) THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER invoice_answer_is_final BEFORE UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_answer_is_final();
-- +goose StatementBegin
CREATE FUNCTION submission_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.invoice_id IS DISTINCT FROM NEW.invoice_id OR OLD.device_id IS DISTINCT FROM NEW.device_id
  OR NEW.attempts < OLD.attempts OR (OLD.state = 'done' AND NEW.state <> 'done') THEN
    RAISE EXCEPTION 'a submission ends once and its attempts are only added to';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER submission_ends_once BEFORE UPDATE ON submission FOR EACH ROW EXECUTE FUNCTION submission_ends_once();
-- +goose StatementBegin
CREATE FUNCTION attempt_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.outcome IS NOT NULL OR OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.invoice_id IS DISTINCT FROM NEW.invoice_id OR OLD.number IS DISTINCT FROM NEW.number
  OR OLD.route IS DISTINCT FROM NEW.route OR OLD.worker IS DISTINCT FROM NEW.worker OR OLD.claimed_at IS DISTINCT FROM NEW.claimed_at
  OR (OLD.lapsed_at IS NOT NULL AND OLD.lapsed_at IS DISTINCT FROM NEW.lapsed_at) THEN
    RAISE EXCEPTION 'a submission ends once and its attempts are only added to';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER attempt_ends_once BEFORE UPDATE ON attempt FOR EACH ROW EXECUTE FUNCTION attempt_ends_once();
-- +goose StatementBegin
CREATE FUNCTION verdict_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.invoice_id IS DISTINCT FROM NEW.invoice_id OR OLD.attempt IS DISTINCT FROM NEW.attempt OR OLD.route IS DISTINCT FROM NEW.route
  OR OLD.status IS DISTINCT FROM NEW.status OR OLD.code IS DISTINCT FROM NEW.code OR OLD.result IS DISTINCT FROM NEW.result OR OLD.infos IS DISTINCT FROM NEW.infos
  OR OLD.warnings IS DISTINCT FROM NEW.warnings OR OLD.errors IS DISTINCT FROM NEW.errors OR OLD.suspect IS DISTINCT FROM NEW.suspect OR OLD.answered_at IS DISTINCT FROM NEW.answered_at
  OR OLD.stamped IS NOT NULL OR NEW.stamped IS NULL OR NEW.flag <> '' THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER verdict_is_final BEFORE UPDATE ON verdict FOR EACH ROW EXECUTE FUNCTION verdict_is_final();
-- +goose StatementBegin
CREATE FUNCTION never_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what belongs to an issued invoice is never deleted';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER credit_stays BEFORE DELETE ON credit FOR EACH ROW EXECUTE FUNCTION never_deleted();
CREATE TRIGGER deduction_stays BEFORE DELETE ON deduction FOR EACH ROW EXECUTE FUNCTION never_deleted();
CREATE TRIGGER submission_stays BEFORE DELETE ON submission FOR EACH ROW EXECUTE FUNCTION never_deleted();
CREATE TRIGGER share_stays BEFORE DELETE ON share FOR EACH ROW EXECUTE FUNCTION never_deleted();
CREATE TRIGGER attempt_stays BEFORE DELETE ON attempt FOR EACH ROW EXECUTE FUNCTION never_deleted();
CREATE TRIGGER verdict_stays BEFORE DELETE ON verdict FOR EACH ROW EXECUTE FUNCTION never_deleted();
