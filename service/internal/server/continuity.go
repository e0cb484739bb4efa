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
	"khatm/service/internal/metric"
	"khatm/service/internal/org"
	"khatm/service/internal/ready"
	"khatm/service/internal/submit"
)

// openContinuity compares the database with the marks stored outside it, before
// anything is issued.
func (s *Server) openContinuity(ctx context.Context) error {
	config := continuity.Config{Keeper: s.store, Trail: s.checkTrail, Proven: s.proven, Prove: s.prover(), Status: s.issuing, Now: s.config.Now, Log: s.config.Log}
	if s.config.Marks != "" {
		installation, err := s.store.Installation(ctx)
		if err != nil {
			return err
		}
		if config.Marks, err = continuity.OpenMarks(s.config.Marks, installation); err != nil {
			if !s.config.MarksOptional {
				return fmt.Errorf("%w: choose another folder with --marks", err)
			}
			s.config.Log.Error("marks cannot be written, so a restored database may go unnoticed; choose a folder with --marks", "cause", err.Error())
		}
		s.marks = config.Marks
	}
	s.guard = continuity.New(config)
	return s.guard.Compare(ctx)
}

// checkMarks refuses a folder inside the data folder: restoring the data would
// restore the marks too.
func (c Config) checkMarks() error {
	if c.Marks == "" {
		return nil
	}
	inside, err := isInside(c.Marks, c.Data)
	if err != nil {
		return fmt.Errorf("--marks %s: %w", c.Marks, err)
	}
	if !inside {
		return nil
	}
	if c.MarksOptional {
		c.Log.Warn("the marks are inside the data folder and would be restored with it; choose another folder with --marks", "folder", c.Marks)
		return nil
	}
	return fmt.Errorf("--marks %s is inside the data folder: choose a folder outside it, best on another disk", c.Marks)
}

// isInside reports whether a folder is another one or inside it.
func isInside(folder, of string) (bool, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return false, err
	}
	if of, err = filepath.Abs(of); err != nil {
		return false, err
	}
	folder, of = realPath(folder), realPath(of)
	return folder == of || strings.HasPrefix(folder, of+string(filepath.Separator)), nil
}

// realPath resolves symbolic links in the part of path that exists.
func realPath(path string) string {
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		return whole
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(realPath(parent), filepath.Base(path))
	}
	return path
}

// pollTime is how often the server checks for decisions of other processes.
const pollTime = time.Second

func (s *Server) startContinuity() {
	s.loops.Start("watch the continuity of the database", pollTime, s.guard.Poll)
	s.metrics.watchMarks(s.guard)
}

// checkTrail compares the audit trail in the database with the head stored
// outside it. broken says why they do not match, or is nil.
func (s *Server) checkTrail(ctx context.Context) (broken, err error) {
	s.trail.sealing.Lock()
	defer s.trail.sealing.Unlock()
	err = s.linkTrail(ctx)
	if errors.Is(err, org.ErrTrailBroken) {
		return err, nil
	}
	return nil, err
}

// appendGuard adapts continuity.Guard to issue.Continuity, and observes the sizes of
// batches.
type appendGuard struct {
	*continuity.Guard
	batches *metric.Histogram
}

// Appended implements [issue.Continuity].
func (g appendGuard) Appended(of org.Tenant, documents int64, e *issue.Entries) {
	g.batches.Observe(float64(len(e.Invoices)))
	b := continuity.Book{Documents: documents, Numbers: map[string]continuity.Number{}, Devices: map[uuid.UUID]continuity.End{}}
	for kind, n := range e.Series {
		b.Numbers[kind] = continuity.Number{Prefix: n.Prefix, Year: n.Year, Last: n.Last}
	}
	for _, d := range e.Devices {
		b.Devices[d.ID] = continuity.End{Counter: d.Counter, Hash: d.LastHash}
	}
	g.Guard.Appended(of.ID(), b)
}

// stopForTrail stops issuing because the audit trail does not match its head.
func (s *Server) stopForTrail(cause error) {
	if !s.issuing.Stopped(ready.Chain) {
		s.guard.Stop(cause.Error())
	}
}

// comparedKeeper claims no documents until the database has been compared after
// each new connection: an older database may contain documents already sent.
type comparedKeeper struct {
	submit.Keeper
	guard *continuity.Guard
}

// Claim implements [submit.Keeper].
func (k comparedKeeper) Claim(ctx context.Context, c submit.Claiming) (submit.Claimed, error) {
	if !k.guard.Compared() {
		return submit.Claimed{}, nil
	}
	return k.Keeper.Claim(ctx, c)
}
