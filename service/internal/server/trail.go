package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"khatm/service/internal/continuity"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// trailChunk is how many entries of the audit trail are linked per transaction.
const trailChunk = 500

// sealTrail links new entries of the audit trail, and stores the sealed head of
// the trail outside the database, so that a trail that was truncated or
// rewritten no longer matches it. Nothing is linked to such a trail, and its
// head is kept, so that later entries do not hide the change.
func (s *Server) sealTrail(ctx context.Context) error {
	s.trail.sealing.Lock() // so that an older head never replaces a newer one
	defer s.trail.sealing.Unlock()
	err := s.linkTrail(ctx)
	if errors.Is(err, org.ErrTrailBroken) {
		s.stopForTrail(err)
		if s.trail.raise(s.config.Now()) {
			s.config.Log.Error("entries of the audit trail are not linked; run khatm audit trail", "cause", err.Error())
		}
		return nil
	}
	if err == nil {
		s.trail.end()
	}
	return err
}

func (s *Server) linkTrail(ctx context.Context) error {
	kept, err := s.trailHead(ctx)
	if err != nil {
		return err
	}
	head := kept
	for linked := trailChunk; linked == trailChunk; {
		if linked, head.Link, err = s.store.SealTrail(ctx, kept.Link, trailChunk); err != nil {
			return err
		}
	}
	if head == kept {
		return nil
	}
	sealed, err := s.vault.Seal(org.TrailHeadPurpose, org.TrailHeadOwner, head.Bytes())
	if err != nil {
		return err
	}
	return files{s.files.Disk}.Put(ctx, org.TrailHeadFile, bytes.NewReader(sealed), int64(len(sealed)))
}

// trailHead returns the head that the trail must match: the stored one, or that
// of a later recovery. It is zero if there is none yet.
func (s *Server) trailHead(ctx context.Context) (org.TrailHead, error) {
	kept, err := s.keptHead(ctx)
	if err != nil {
		return kept, err
	}
	state, err := s.store.Continuity(ctx)
	if err != nil {
		return kept, err
	}
	return continuity.Head(kept, state, s.vault.Open)
}

// keptHead opens the head stored outside the database. It is zero if there is
// none yet. A head that cannot be opened counts as a broken trail.
func (s *Server) keptHead(ctx context.Context) (head org.TrailHead, err error) {
	sealed, err := files{s.files.Disk}.Read(ctx, org.TrailHeadFile)
	if fault.KindOf(err) == fault.NotFound {
		return head, nil
	}
	if err != nil {
		return head, err
	}
	plain, err := s.vault.Open(org.TrailHeadPurpose, org.TrailHeadOwner, sealed)
	if err == nil {
		head, err = org.ParseTrailHead(plain)
	}
	if err != nil {
		return head, fmt.Errorf("%w: %w", org.ErrTrailBroken, err)
	}
	return head, nil
}

// trailAlarm is set while the audit trail does not match its head.
type trailAlarm struct {
	sealing sync.Mutex
	told    atomic.Pointer[time.Time] // when it was last logged; nil if not set
}

// raise sets the alarm and reports whether to log it, at most once a minute.
func (a *trailAlarm) raise(now time.Time) bool {
	last := a.told.Load()
	if last != nil && now.Sub(*last) < time.Minute {
		return false
	}
	a.told.Store(&now)
	return true
}

func (a *trailAlarm) end() { a.told.Store(nil) }

func (a *trailAlarm) rings() bool { return a.told.Load() != nil }
