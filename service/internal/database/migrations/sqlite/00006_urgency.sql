-- +goose Up

-- What runs out, and what is in doubt, is looked for by the endpoint it goes to:
-- without that in front, a database may sort everything that is queued for it,
-- which after a day without the authority is hundreds of thousands.
DROP INDEX submission_urgent;
CREATE INDEX submission_urgent ON submission (route, expires_at) WHERE state = 'queued' AND expires_at IS NOT NULL;
CREATE INDEX submission_probe  ON submission (route, doubt_at) WHERE state = 'queued' AND doubt_at IS NOT NULL AND asked = 0 AND stopped = '';
