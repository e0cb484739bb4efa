package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/ready"
	"khatm/service/internal/store"
	"khatm/service/internal/submit"
)

// openContinuity compares the database with what is known of it outside, before
// anything is issued.
func (s *Server) openContinuity(ctx context.Context) error {
	config := continuity.Config{Keeper: s.store, Trail: s.checkTrail, Status: s.issuing, Now: s.config.Now, Log: s.config.Log}
	if s.config.Marks != "" {
		installation, err := s.store.Installation(ctx)
		if err != nil {
			return err
		}
		if config.Marks, err = continuity.OpenMarks(s.config.Marks, installation); err != nil {
			if !s.config.MarksOptional {
				return fmt.Errorf("%w: choose another folder with --marks", err)
			}
			s.config.Log.Error("no marks are kept: a restored database may go unnoticed; choose a folder with --marks", "cause", err.Error())
		}
		s.marks = config.Marks
	}
	s.guard = continuity.New(config)
	return s.guard.Compare(ctx)
}

// checkMarks refuses marks inside the data folder: they would be restored with it.
func (c Config) checkMarks() error {
	if c.Marks == "" {
		return nil
	}
	marks, err := filepath.Abs(c.Marks)
	if err != nil {
		return fmt.Errorf("--marks %s: %w", c.Marks, err)
	}
	data, err := filepath.Abs(c.Data)
	if err != nil {
		return fmt.Errorf("--data %s: %w", c.Data, err)
	}
	marks, data = realPath(marks), realPath(data)
	if marks != data && !strings.HasPrefix(marks, data+string(filepath.Separator)) {
		return nil
	}
	if c.MarksOptional {
		c.Log.Warn("the marks are inside the data folder, so a restored folder brings its own; choose another folder with --marks", "folder", marks)
		return nil
	}
	return fmt.Errorf("--marks %s is inside the data folder: choose a folder outside it, best on another disk", c.Marks)
}

// realPath resolves links, as far as the path exists.
func realPath(path string) string {
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		return whole
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(realPath(parent), filepath.Base(path))
	}
	return path
}

// pollTime is how often a server looks for what other processes have decided.
const pollTime = time.Second

func (s *Server) startContinuity() {
	s.loops.Start("watch the continuity of the database", pollTime, s.guard.Poll)
	s.metrics.watchMarks(s.guard)
}

// checkTrail returns why the database does not have the end of the audit trail
// that is kept outside it.
func (s *Server) checkTrail(ctx context.Context) (broken, err error) {
	s.trail.sealing.Lock()
	defer s.trail.sealing.Unlock()
	err = s.linkTrail(ctx)
	if errors.Is(err, org.ErrTrailBroken) {
		return err, nil
	}
	return nil, err
}

// appendGuard tells the guard about appends in its own terms.
type appendGuard struct{ *continuity.Guard }

// Appended is of [issue.Continuity].
func (g appendGuard) Appended(of org.Tenant, documents int64, e *issue.Entries) {
	b := continuity.Book{Documents: documents, Numbers: map[string]continuity.Number{}, Devices: map[uuid.UUID]continuity.End{}}
	for kind, n := range e.Series {
		b.Numbers[kind] = continuity.Number{Prefix: n.Prefix, Year: n.Year, Last: n.Last}
	}
	for _, d := range e.Devices {
		b.Devices[d.ID] = continuity.End{Counter: d.Counter, Hash: d.LastHash}
	}
	g.Guard.Appended(of.ID(), b)
}

// stopForTrail stops issuing because the audit trail does not fit its head.
func (s *Server) stopForTrail(cause error) {
	if !s.issuing.Stopped(ready.Chain) {
		s.guard.Stop(cause.Error())
	}
}

// comparedKeeper gives out nothing to send until a database that was connected to
// anew has been compared: an older one may hold documents that were sent long
// ago.
type comparedKeeper struct {
	*store.Store
	guard *continuity.Guard
}

// Claim is of [submit.Keeper].
func (k comparedKeeper) Claim(ctx context.Context, c submit.Claiming) (submit.Claimed, error) {
	if !k.guard.Compared() {
		return submit.Claimed{}, nil
	}
	return k.Store.Claim(ctx, c)
}
