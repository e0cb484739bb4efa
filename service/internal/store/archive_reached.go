package store

import (
	"context"
	"encoding/json"
	"fmt"
)

// Reached says how far the servers of a database have written to its archive.
type Reached struct {
	Epoch int                   `json:"epoch"` // 0 if this is not known
	Token string                `json:"token"` // of the epoch, which another archive does not have
	Ends  map[string]JournalEnd `json:"ends"`  // by server
}

// JournalEnd is the last batch of a journal.
type JournalEnd struct {
	Journal string `json:"journal"`
	Batch   uint64 `json:"batch"`
}

// ArchiveReached returns how far the archive was written.
func (s *Store) ArchiveReached(ctx context.Context) (r Reached, err error) {
	var text string
	if err := s.db.One(ctx, nil, `SELECT reached FROM archive WHERE one = 1`, nil, &text); err != nil {
		return r, fmt.Errorf("read how far the archive was written: %w", err)
	}
	return r, parseReached(text, &r)
}

func parseReached(text string, r *Reached) error {
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), r); err != nil {
		return fmt.Errorf("read how far the archive was written: %w", err)
	}
	return nil
}

// RecordReached records the last batch that a server has written to its archive, in an
// epoch with a token. It returns ErrOtherArchive if the installation uses another one.
func (s *Store) RecordReached(ctx context.Context, token, server string, end JournalEnd) error {
	return s.write(ctx, func(t *tx) error {
		if err := s.checkArchive(t.Context(), t); err != nil {
			return err
		}
		var text string
		var epoch int
		if err := t.QueryRow(`SELECT epoch, reached FROM archive WHERE one = 1`+s.dialect.LockRow).Scan(&epoch, &text); err != nil {
			return err
		}
		var r Reached
		if err := parseReached(text, &r); err != nil {
			return err
		}
		if r.Token != token {
			r = Reached{Epoch: epoch, Token: token, Ends: map[string]JournalEnd{}}
		}
		r.Ends[server] = end
		text, err := documentOf(r)
		if err != nil {
			return err
		}
		return t.Exec(`UPDATE archive SET reached = $1 WHERE one = 1`, text)
	})
}

// archivedSeq returns the highest sequence number that must be in the archive. On
// PostgreSQL it can be that of a transaction that was rolled back.
func (s *Store) archivedSeq(ctx context.Context) (int64, error) {
	use, err := s.ArchiveUse(ctx)
	if err != nil {
		return 0, err
	}
	first := use.Seq + 1
	if err := s.db.One(ctx, nil, `SELECT coalesce(min(seq), $1) FROM unarchived`, []any{first}, &first); err != nil {
		return 0, fmt.Errorf("read the outbox: %w", err)
	}
	return first - 1, nil
}

// ExceedsArchive reports whether the database can have archived lines after the last
// ones of an archive.
func (s *Store) ExceedsArchive(ctx context.Context, tail *ArchiveTail) (bool, error) {
	seq, err := s.archivedSeq(ctx)
	return seq > tail.highest, err
}
