-- +goose Up

-- At most one sign-up link of an address works at a time.
CREATE UNIQUE INDEX access_link_signup ON access_link (email) WHERE purpose = 'signup' AND used_at IS NULL AND revoked_at IS NULL;
