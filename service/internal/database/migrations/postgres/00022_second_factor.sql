-- +goose Up

-- The second factor of a person: the secret of an authenticator app.
CREATE TABLE second_factor (
  person_id  UUID    PRIMARY KEY REFERENCES person (id),
  sealed     BYTEA   NOT NULL CHECK (length(sealed) > 60),
  created_at BIGINT  NOT NULL,
  expires_at BIGINT  CHECK (expires_at > created_at),      -- until the first code is entered
  active_at  BIGINT,                                       -- time of the first code
  last_step  BIGINT  NOT NULL CHECK (last_step >= 0),      -- of the last accepted code
  CHECK ((active_at IS NULL) = (expires_at IS NOT NULL)),
  CHECK ((active_at IS NULL) = (last_step = 0))
);

-- Codes that each replace one code of the app.
CREATE TABLE recovery_code (
  person_id UUID  NOT NULL REFERENCES person (id),
  digest    BYTEA NOT NULL CHECK (length(digest) = 32), -- SHA-256 of the code, which is not stored
  used_at   BIGINT,
  PRIMARY KEY (person_id, digest)
);

-- +goose StatementBegin
CREATE FUNCTION second_factor_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.person_id IS DISTINCT FROM NEW.person_id OR OLD.created_at IS DISTINCT FROM NEW.created_at OR NEW.last_step < OLD.last_step
  OR OLD.active_at IS NOT NULL AND OLD.active_at IS DISTINCT FROM NEW.active_at THEN
    RAISE EXCEPTION 'a code works once';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER second_factor_goes_on BEFORE UPDATE ON second_factor FOR EACH ROW EXECUTE FUNCTION second_factor_goes_on();
-- +goose StatementBegin
CREATE FUNCTION recovery_code_works_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.person_id IS DISTINCT FROM NEW.person_id OR OLD.digest IS DISTINCT FROM NEW.digest OR OLD.used_at IS NOT NULL THEN
    RAISE EXCEPTION 'a code works once';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER recovery_code_works_once BEFORE UPDATE ON recovery_code FOR EACH ROW EXECUTE FUNCTION recovery_code_works_once();
