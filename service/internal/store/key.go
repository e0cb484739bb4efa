package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/limit"
	"khatm/service/internal/org"
)

// AddKey inserts a new key of the actor's organisation. It stores the digest of
// the key, never the key itself. If the name is taken it returns
// account.ErrNameTaken.
func (s *Store) AddKey(ctx context.Context, by org.Actor, k org.Key, digest []byte) error {
	err := s.write(ctx, func(t *tx) error {
		const insert = `
			INSERT INTO api_key (name, id, org_id, title, digest, role, scopes, created_at, created_by)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
		if err := t.lockAdmin(by); err != nil {
			return err
		}
		if err := t.Exec(insert, k.Name, k.ID, by.Tenant.ID(), k.Title, digest, string(k.Role), joinScopes(k.Scopes), millis(k.CreatedAt), k.CreatedBy); err != nil {
			return err
		}
		return t.event(by, "key.create", k.Name, map[string]any{"title": k.Title, "role": k.Role, "scopes": k.Scopes})
	})
	if database.IsDuplicate(err) {
		return account.ErrNameTaken
	}
	return err
}

const keyColumns = `id, name, title, role, scopes, created_at, created_by, revoked_at`

func scanKey(row scanner) (org.Key, error) {
	var k org.Key
	var scopes string
	var revoked sql.NullInt64
	err := row.Scan(&k.ID, &k.Name, &k.Title, &k.Role, &scopes, instant{&k.CreatedAt}, &k.CreatedBy, &revoked)
	k.Scopes, k.RevokedAt = splitScopes(scopes), timeOrNil(revoked)
	return k, err
}

// Keys returns an organisation's keys, newest first.
func (s *Store) Keys(ctx context.Context, of org.Tenant) ([]org.Key, error) {
	const query = `
		SELECT ` + keyColumns + `
		FROM api_key
		WHERE org_id = $1
		ORDER BY id DESC`
	return database.All(ctx, s.db, query, []any{of.ID()}, scanKey)
}

// KeyPage returns a page of an organisation's keys, newest first.
func (s *Store) KeyPage(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Key], error) {
	const query = `
		SELECT ` + keyColumns + `
		FROM api_key
		WHERE org_id = $1 AND id < $2
		ORDER BY id DESC
		LIMIT $3 OFFSET $4`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), before(page), page.Size + 1, page.Skip()}, scanKey)
	if err != nil {
		return org.List[org.Key]{}, err
	}
	list := listOf(rows, page, func(k org.Key) uuid.UUID { return k.ID })
	err = s.db.One(ctx, nil, `SELECT count(*) FROM api_key WHERE org_id = $1`, []any{of.ID()}, &list.Total)
	return list, err
}

// Key returns a key of an organisation, or a NotFound fault.
func (s *Store) Key(ctx context.Context, of org.Tenant, id uuid.UUID) (org.Key, error) {
	const query = `SELECT ` + keyColumns + ` FROM api_key WHERE org_id = $1 AND id = $2`
	return database.First(ctx, s.db, fault.Missing("API key"), query, []any{of.ID(), id}, scanKey)
}

// RevokeKey revokes a key of the actor's organisation by its name or id.
// Revoking a revoked key changes nothing.
func (s *Store) RevokeKey(ctx context.Context, by org.Actor, nameOrID string, at time.Time) error {
	id, _ := uuid.Parse(nameOrID)
	return s.write(ctx, func(t *tx) error {
		var name string
		var revoked sql.NullInt64
		err := t.QueryRow(`SELECT name, revoked_at FROM api_key WHERE org_id = $1 AND (name = $2 OR id = $3)`+s.dialect.LockRow, by.Tenant.ID(), nameOrID, id).Scan(&name, &revoked)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return fault.Missing("API key")
		case err != nil || revoked.Valid:
			return err
		}
		if err := t.Exec(`UPDATE api_key SET revoked_at = $1 WHERE org_id = $2 AND name = $3`, millis(at), by.Tenant.ID(), name); err != nil {
			return err
		}
		return t.event(by, "key.revoke", name, nil)
	})
}

// KeyHolder returns the holder of a key by its name. It is read on each
// request, because a revoked key must fail at once. On PostgreSQL the same
// statement counts the call, together with other calls that wait for it. For an
// unknown name it reads the first of all keys, so that it takes as long as for a
// known one.
func (s *Store) KeyHolder(ctx context.Context, k account.KeyLookup) (account.KeyHolder, error) {
	if s.dialect.Embedded || k.From.IsZero() {
		return s.keyHolder(ctx, k, 0)
	}
	return s.keys.do(ctx, keyCall{k.Name, string(k.Digest), millis(k.From)}, func(ctx context.Context, calls int) (account.KeyHolder, error) {
		return s.keyHolder(ctx, k, calls)
	})
}

// keyHolder returns the holder of a key and adds calls to its rate window. If
// calls is 0, it counts nothing.
func (s *Store) keyHolder(ctx context.Context, k account.KeyLookup, calls int) (account.KeyHolder, error) {
	const holder = `
		SELECT k.name AS key_name, k.digest, k.revoked_at, k.id, k.org_id, k.role, k.scopes, o.status, ` + planColumns + `,
			coalesce(u.invoices, 0) AS used_invoices, coalesce(u.validations, 0) AS used_validations`
	const from = `
		FROM api_key k
		JOIN organisation o ON o.id = k.org_id
		JOIN plan p ON p.slug = o.plan
		LEFT JOIN usage u ON u.org_id = o.id AND u.month = $2
		WHERE k.name = coalesce((SELECT name FROM api_key WHERE name = $1), (SELECT min(name) FROM api_key))`
	const counted = `
		WITH holder AS MATERIALIZED (` + holder + from + `), counted AS (
			INSERT INTO rate_window (subject, starts, ends, n)
			SELECT '` + limit.Key + `:' || id, $4::bigint, $5::bigint, $6::bigint FROM holder WHERE key_name = $1 AND digest = $3 AND revoked_at IS NULL
			ON CONFLICT (subject, starts) DO UPDATE SET n = rate_window.n + excluded.n
			RETURNING n
		)
		SELECT holder.*, coalesce((SELECT n FROM counted), 0), ` + unsynced + ` FROM holder`
	h := account.KeyHolder{Holder: org.Holder{Used: org.Usage{Month: org.UsageMonth(k.At)}}}
	var revoked sql.NullInt64
	var organisation uuid.UUID
	var name, scopes, setting string
	into := []any{&name, &h.Digest, &revoked, &h.Actor.ID, &organisation, &h.Actor.Role, &scopes, &h.Status}
	into = append(append(into, planInto(&h.Used.Plan)...), &h.Used.Invoices, &h.Used.Validations, &h.Calls, &setting)
	args := []any{k.Name, h.Used.Month.Format(monthForm)}
	err := errNotCounted
	if calls > 0 {
		err = s.db.One(ctx, account.ErrUnknown, counted, append(slices.Clone(args), k.Digest, millis(k.From), millis(k.Until), calls), into...)
	}
	// A call that cannot be counted is allowed; the limiter reports the
	// failure.
	if err != nil && !errors.Is(err, account.ErrUnknown) && fault.KindOf(err) != fault.Unavailable {
		err = s.db.One(ctx, account.ErrUnknown, holder+`, 0, ''`+from, args, into...)
	}
	if err == nil && name != k.Name {
		err = account.ErrUnknown
	}
	if err != nil {
		return account.KeyHolder{}, err
	}
	h.Revoked = revoked.Valid
	h.Actor.Kind = org.KeyActor
	h.Actor.Name = k.Name
	h.Actor.Tenant = org.TenantOf(organisation)
	h.Actor.Scopes = splitScopes(scopes)
	return h, nil
}

var errNotCounted = errors.New("call was not counted")

func joinScopes(scopes []org.Scope) string {
	texts := make([]string, len(scopes))
	for i, s := range scopes {
		texts[i] = string(s)
	}
	return strings.Join(texts, " ")
}

func splitScopes(text string) []org.Scope {
	var scopes []org.Scope
	for _, s := range strings.Fields(text) {
		scopes = append(scopes, org.Scope(s))
	}
	return scopes
}
