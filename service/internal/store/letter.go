package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

const letterColumns = `
	id, org_id, recipient, language, about, sealed, created_at, expires_at, state, attempts, next_at, sent_at, problem`

func scanLetter(row scanner) (mail.Letter, error) {
	var l mail.Letter
	var organisation uuid.NullUUID
	var sent sql.NullInt64
	err := row.Scan(&l.ID, &organisation, &l.To, &l.Language, &l.About, &l.Sealed, instant{&l.CreatedAt}, instant{&l.Expires},
		&l.State, &l.Attempts, instant{&l.NextAt}, &sent, &l.Problem)
	l.SentAt = timeOrNil(sent)
	if organisation.Valid {
		l.Of = org.TenantOf(organisation.UUID)
	}
	return l, err
}

// queue inserts an e-mail about a draft, in the transaction of the event that
// it reports. The number of e-mails that an organisation sends a day is limited
// in total and for each address.
func (t *tx) queue(l mail.Letter, draft uuid.UUID) error {
	if err := t.checkLetterLimit(l); err != nil {
		return err
	}
	const insert = `
		INSERT INTO letter (id, org_id, draft_id, recipient, language, about, sealed, created_at, expires_at, state, attempts, next_at, problem)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', 0, $10, '')`
	err := t.Exec(insert, l.ID, l.Of.ID(), draft, l.To, l.Language, l.About, l.Sealed, millis(l.CreatedAt), millis(l.Expires), millis(l.NextAt))
	if err != nil {
		return fmt.Errorf("queue e-mail %s: %w", l.ID, err)
	}
	return nil
}

// DueLetters claims e-mails that are due and have not expired, and counts an
// attempt for each. No other caller gets them until the lease ends. E-mails of
// inactive organisations wait. A due time or lease further in the future than
// possible was set by a wrong clock and counts as past.
func (s *Store) DueLetters(ctx context.Context, now time.Time, lease time.Duration, most int) ([]mail.Letter, error) {
	const due = `
		FROM letter
		WHERE state = 'queued' AND expires_at > $1
			AND (next_at <= $1 OR next_at > $3) AND (lease_until IS NULL OR lease_until <= $1 OR lease_until > $3)
			AND (org_id IS NULL OR EXISTS (SELECT 1 FROM organisation WHERE organisation.id = letter.org_id AND organisation.status = 'active'))
		ORDER BY next_at
		LIMIT $2`
	if most <= 0 {
		return nil, nil
	}
	far := millis(now.Add(max(lease, mail.MostRetry) + submit.Skew))
	// Usually no e-mail is due. Finding this out needs no transaction.
	waiting, err := database.All(ctx, s.db, `SELECT id `+due, []any{millis(now), 1, far}, scanID)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	var taken []mail.Letter
	err = s.write(ctx, func(t *tx) error {
		rows, err := t.Query(`SELECT `+letterColumns+due+s.skipLocked(), millis(now), most, far)
		if taken, err = database.Collect(rows, err, scanLetter); err != nil {
			return err
		}
		for i := range taken {
			taken[i].Attempts++
			const take = `UPDATE letter SET attempts = attempts + 1, lease_until = $1 WHERE id = $2`
			if err := t.Exec(take, millis(now.Add(lease)), taken[i].ID); err != nil {
				return fmt.Errorf("claim e-mail %s: %w", taken[i].ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// LetterSent records that an e-mail was sent and deletes its contents. It does
// not change an e-mail that has already ended.
func (s *Store) LetterSent(ctx context.Context, id uuid.UUID, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		const update = `
			UPDATE letter
			SET state = 'sent', sent_at = $1, sealed = NULL, lease_until = NULL, problem = ''
			WHERE id = $2 AND state = 'queued'`
		return t.Exec(update, millis(at), id)
	})
}

// LetterFailed records why an e-mail could not be sent and when it is tried
// again. If next is nil, it is not tried again and its contents are deleted.
func (s *Store) LetterFailed(ctx context.Context, id uuid.UUID, problem string, next *time.Time) error {
	return s.write(ctx, func(t *tx) error {
		if next == nil {
			const refuse = `
				UPDATE letter
				SET state = 'refused', sealed = NULL, lease_until = NULL, problem = $1
				WHERE id = $2 AND state = 'queued'`
			return t.Exec(refuse, problem, id)
		}
		const later = `UPDATE letter SET next_at = $1, lease_until = NULL, problem = $2 WHERE id = $3 AND state = 'queued'`
		return t.Exec(later, millis(*next), problem, id)
	})
}

// ExpireLetters ends the e-mails that have expired and deletes their contents.
// E-mails that are being sent are skipped, because they may arrive.
func (s *Store) ExpireLetters(ctx context.Context, now time.Time) error {
	const over = `state = 'queued' AND expires_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)`
	found, err := database.All(ctx, s.db, `SELECT id FROM letter WHERE `+over+` LIMIT 1`, []any{millis(now)}, scanID)
	if err != nil || len(found) == 0 {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		return t.Exec(`UPDATE letter SET state = 'expired', sealed = NULL, lease_until = NULL WHERE `+over, millis(now))
	})
}

// Letter returns an e-mail of an organisation, or a NotFound fault.
func (s *Store) Letter(ctx context.Context, of org.Tenant, id uuid.UUID) (mail.Letter, error) {
	return s.letter(ctx, `id = $1 AND org_id = $2`, id, of.ID())
}

// AnyLetter returns an e-mail of any organisation, for the operator.
func (s *Store) AnyLetter(ctx context.Context, id uuid.UUID) (mail.Letter, error) {
	return s.letter(ctx, `id = $1`, id)
}

func (s *Store) letter(ctx context.Context, where string, args ...any) (mail.Letter, error) {
	return database.First(ctx, s.db, fault.Missing("Letter"), `SELECT `+letterColumns+` FROM letter WHERE `+where, args, scanLetter)
}

// Letters returns a page of an organisation's e-mails, newest first.
func (s *Store) Letters(ctx context.Context, of org.Tenant, page org.Page) (org.List[mail.Letter], error) {
	return s.LettersIn(ctx, of, "", page)
}

// LettersIn is Letters with one state only, unless it is "".
func (s *Store) LettersIn(ctx context.Context, of org.Tenant, state mail.State, page org.Page) (org.List[mail.Letter], error) {
	c := &condition{}
	c.add("org_id = ?", of.ID())
	if state != "" {
		c.add("state = ?", string(state))
	}
	return s.letters(ctx, c, page)
}

// AllLetters returns a page of the e-mails of all organisations, newest first,
// for the operator.
func (s *Store) AllLetters(ctx context.Context, page org.Page) (org.List[mail.Letter], error) {
	c := &condition{}
	c.add("id <= ?", uuid.Max)
	return s.letters(ctx, c, page)
}

func (s *Store) letters(ctx context.Context, c *condition, page org.Page) (org.List[mail.Letter], error) {
	total := *c
	c.add("id < ?", before(page))
	query := `SELECT ` + letterColumns + ` FROM letter WHERE ` + c.text() + ` ORDER BY id DESC LIMIT ` +
		strconv.Itoa(page.Size+1) + ` OFFSET ` + strconv.Itoa(page.Skip())
	rows, err := database.AllOnce(ctx, s.db, query, c.args, scanLetter)
	if err != nil {
		return org.List[mail.Letter]{}, err
	}
	list := listOf(rows, page, func(l mail.Letter) uuid.UUID { return l.ID })
	counted := `SELECT count(*) FROM (SELECT 1 FROM letter WHERE ` + total.text() + ` LIMIT ` + strconv.Itoa(org.Counted+1) + `) counted`
	if _, err := database.AllOnce(ctx, s.db, counted, total.args, func(row scanner) (int, error) { return 1, row.Scan(&list.Total) }); err != nil {
		return list, err
	}
	if list.Total > org.Counted {
		list.Total, list.Capped = org.Counted, true
	}
	return list, nil
}
