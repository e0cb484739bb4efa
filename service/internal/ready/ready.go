// Package ready records why documents cannot be issued at the moment. Requests to
// create an invoice, the readiness endpoint, metrics and logs read the same table,
// so that they always agree.
package ready

import (
	"errors"
	"slices"
	"sync"
	"time"

	"khatm/service/internal/fault"
)

// Cause is a condition that stops issuing.
type Cause string

// The causes. Each is set and cleared by the code that detects it.
const (
	Commit    Cause = "commit"     // the last commit failed
	Disk      Cause = "disk"       // too little free space
	MasterKey Cause = "master_key" // the master key cannot be read
	Clock     Cause = "clock"      // the clock is wrong
	Chain     Cause = "chain"      // the database may lack issued documents
	Future    Cause = "future"     // every device's last document is dated in the future
	Compare   Cause = "compare"    // the database could not be compared with the marks
	Archive   Cause = "archive"    // the archive lacks earlier documents

	Replication  Cause = "replication"   // PostgreSQL does not replicate synchronously
	OtherArchive Cause = "other_archive" // the installation uses another archive than this server
)

// text describes a cause.
type text struct {
	message string // for callers
	fix     string // for the operator
}

var texts = map[Cause]text{
	Commit:       {"the last write to the database failed", "run khatm doctor"},
	Disk:         {"the server's disk cannot take more data", "free space in the data folder, or make its file system writable again"},
	MasterKey:    {"the master key cannot be read", "restore the master key, then run khatm doctor"},
	Clock:        {"the server's clock is wrong", "set the clock, or run khatm clock accept if it is right"},
	Future:       {"the last invoice of every device is dated in the future", "run khatm clock release --all, if the clock is right"},
	Compare:      {"the database could not be compared with the marks", "make the marks folder and the data folder readable and writable, then run khatm doctor"},
	Archive:      {"earlier invoices are not in the archive yet", "make the archive writable; the log says why it is not"},
	Replication:  {"the database does not replicate synchronously", "set synchronous_standby_names and synchronous_commit of PostgreSQL, or start without --trust-failover"},
	OtherArchive: {"the installation uses another archive than this server", "start this server with the archive of the installation"},
	Chain:        {"the database may be older than the invoices already issued", "run khatm recover"},
}

// Causes returns every cause, in a fixed order.
func Causes() []Cause {
	return []Cause{Chain, Clock, Future, MasterKey, Disk, Commit, Compare, Archive, OtherArchive, Replication}
}

// Fix returns what the operator should do about the cause.
func (c Cause) Fix() string { return texts[c].fix }

// ErrRecheck means that the conditions must be checked again before the next
// document, because the connection to the database was replaced.
var ErrRecheck = errors.New("the database connection was replaced")

// Problem is a cause that stops issuing now.
type Problem struct {
	Cause  Cause
	Detail string // for the operator, never for callers
	Since  time.Time
}

// String describes the problem to the operator.
func (p Problem) String() string {
	s := texts[p.Cause].message
	if p.Detail != "" {
		s += ": " + p.Detail
	}
	return s + "; " + p.Cause.Fix()
}

// Status is the set of problems of one process. The zero value has none and is
// ready to use.
type Status struct {
	mu       sync.Mutex
	problems map[Cause]Problem
}

// Stop records a problem and reports whether it is new. A problem that is
// already recorded keeps its time and gets the new detail.
func (s *Status) Stop(c Cause, now time.Time, detail string) (isNew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, known := s.problems[c]
	if s.problems == nil {
		s.problems = map[Cause]Problem{}
	}
	if known {
		now = before.Since
	}
	s.problems[c] = Problem{Cause: c, Detail: detail, Since: now}
	return !known
}

// Clear removes a problem and reports whether there was one.
func (s *Status) Clear(c Cause) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.problems[c]
	delete(s.problems, c)
	return known
}

// Problems returns the current problems in the order of Causes.
func (s *Status) Problems() []Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Problem
	for _, c := range Causes() {
		if p, known := s.problems[c]; known {
			list = append(list, p)
		}
	}
	return list
}

// Stopped reports whether one of the causes is recorded.
func (s *Status) Stopped(causes ...Cause) bool {
	return slices.ContainsFunc(s.Problems(), func(p Problem) bool { return slices.Contains(causes, p.Cause) })
}

// retryAfter is how long a caller should wait: no problem goes away within
// seconds, because each needs the operator or some time.
const retryAfter = 30 * time.Second

// Err returns nil if documents can be issued, and otherwise the error for a
// caller that wants to issue one.
func (s *Status) Err() error {
	list := s.Problems()
	if len(list) == 0 {
		return nil
	}
	return Refusal(list[0].Cause)
}

// Refusal returns the error for a document that is not issued because of c.
func Refusal(c Cause) error {
	e := fault.New(fault.IssuingStopped, "Invoices cannot be issued at the moment because %s. Nothing was written. To the operator: %s.", texts[c].message, c.Fix())
	e.Again = retryAfter
	return e
}
