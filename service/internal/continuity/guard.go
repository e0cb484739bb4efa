package continuity

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/ready"
)

// Keeper is the database as used by a Guard.
type Keeper interface {
	Reader
	// RecordIdentity records the identity of the database. If copied, documents
	// without an answer may already have been sent from the original database.
	RecordIdentity(ctx context.Context, i Identity, copied bool) error
	StopIssuing(ctx context.Context, reason string) error
	// Reconnections counts how often the database may have been replaced by
	// another one.
	Reconnections() int64
}

// Config holds the dependencies of a Guard.
type Config struct {
	Keeper Keeper
	Marks  *Marks // nil if no marks are kept
	// Trail returns in broken why the database lacks the end of the audit trail
	// that is kept outside it, or nil. err is any other failure.
	Trail func(ctx context.Context) (broken, err error)
	// Proven means that the database was complete when the guard was created, as its
	// archive showed, although it may be a copy.
	Proven bool
	// Prove says whether a database server that replaced another one has every
	// document. It is called for servers that were restored, replaced or promoted
	// and lack nothing according to the marks. It may be nil: issuing then stops.
	Prove  func(ctx context.Context, f Facts) (Proof, error)
	Status *ready.Status
	Now    func() time.Time
	Log    *slog.Logger
}

// Guard stops a server from issuing while the database may lack documents.
type Guard struct {
	Config
	comparing sync.Mutex
	begun     bool         // the database has been compared
	compared  atomic.Int64 // Keeper.Reconnections at the start of the last comparison; -1 if there was none

	mu         sync.Mutex
	generation int64
	identity   Identity            // at the last comparison
	documents  map[uuid.UUID]int64 // highest count seen by this process, by organisation
	pending    string              // why issuing must stop; kept until the database has recorded it
	proof      *proven             // nil if there was none
	unproven   *unproven           // nil if no proof is necessary
	unmarked   bool                // the last mark could not be written
}

// New returns a guard. Nothing may be issued before Compare has returned.
func New(c Config) *Guard {
	g := &Guard{Config: c, documents: map[uuid.UUID]int64{}}
	g.compared.Store(-1)
	return g
}

// Compare checks whether the database has every document that this server knows
// to be issued. It stops issuing if a document is missing or the check fails.
func (g *Guard) Compare(ctx context.Context) (err error) {
	for range 3 { // the server may be replaced again during a proof
		if err = g.compareOnce(ctx); !errors.Is(err, errUnproven) {
			break
		}
		if err := g.prove(ctx); err != nil {
			return err
		}
	}
	return err
}

func (g *Guard) compareOnce(ctx context.Context) error {
	g.comparing.Lock()
	defer g.comparing.Unlock()
	return g.compareAlone(ctx)
}

func (g *Guard) compareAlone(ctx context.Context) error {
	if err := g.compare(ctx); err != nil {
		g.Status.Stop(ready.Compare, g.Now(), err.Error())
		g.compared.Store(-1) // the next call compares again
		return fmt.Errorf("compare the database with the marks: %w", err)
	}
	g.Status.Clear(ready.Compare)
	return nil
}

func (g *Guard) compare(ctx context.Context) error {
	at := g.Keeper.Reconnections()
	if at == g.compared.Load() && !g.isNewGeneration(ctx) {
		return nil // another call has just compared
	}
	facts, books, err := g.gather(ctx)
	if err != nil {
		return err
	}
	facts.Proven = g.Proven && !g.begun
	reason, err := g.settle(&facts, at, facts.Judge())
	if err != nil {
		return err
	}
	if reason != "" && !facts.State.Stopped() {
		if err := g.stop(ctx, reason); err != nil {
			return err
		}
		facts.State.StoppedAt, facts.State.Reason = g.Now(), reason
	}
	if !facts.State.Stopped() {
		if err := g.accept(ctx, facts, books); err != nil {
			return err
		}
	}
	g.begin(facts, books)
	g.begun = true
	g.apply(facts.State)
	g.compared.Store(at)
	return nil
}

func (g *Guard) isNewGeneration(ctx context.Context) bool {
	state, err := g.Keeper.Continuity(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	return err != nil || state.Generation != g.generation
}

// gather reads the facts for the decision.
func (g *Guard) gather(ctx context.Context) (f Facts, books Books, err error) {
	var marks *Record
	if g.Marks != nil {
		if marks, err = g.Marks.Known(); err != nil {
			return f, nil, err
		}
	}
	if f, books, err = Gather(ctx, g.Keeper, marks); err != nil {
		return f, nil, err
	}
	f.Trail, err = g.Trail(ctx)
	return f, books, err
}

// Reader reads the state, identity and books of the database.
type Reader interface {
	Continuity(ctx context.Context) (State, error)
	Identity(ctx context.Context) (Identity, error)
	Books(ctx context.Context) (Books, error)
	// HashAt returns the hash of a device's document with a counter, or "" if
	// there is none.
	HashAt(ctx context.Context, of org.Tenant, device uuid.UUID, counter int64) (string, error)
}

// Gather reads the facts and books of the database and compares them with
// marks, which may be nil. It does not check the audit trail.
func Gather(ctx context.Context, from Reader, marks *Record) (f Facts, books Books, err error) {
	if f.State, err = from.Continuity(ctx); err != nil {
		return f, nil, err
	}
	if f.Identity, err = from.Identity(ctx); err != nil {
		return f, nil, err
	}
	if books, err = from.Books(ctx); err != nil {
		return f, nil, err
	}
	if marks == nil {
		return f, books, nil
	}
	if marks.Generation < f.State.Generation {
		for id, marked := range marks.Books {
			f.Differences = append(f.Differences, CompareOlder(id, marked, books[id])...)
		}
		if len(f.Differences) > 0 {
			f.Marks = marks
		}
		return f, books, nil
	}
	f.Marks = marks
	f.Differences, err = differences(ctx, from, marks.Books, books)
	return f, books, err
}

// differences returns the differences between the marks and the database.
func differences(ctx context.Context, from Reader, marks, books Books) ([]Difference, error) {
	var all []Difference
	for id, marked := range marks {
		kept := Kept{Book: books[id], Marked: map[uuid.UUID]string{}}
		for device, end := range marked.Devices {
			have := kept.Devices[device]
			switch {
			case have.Counter == end.Counter:
				kept.Marked[device] = have.Hash
			case have.Counter > end.Counter && end.Counter > 0:
				hash, err := from.HashAt(ctx, org.TenantOf(id), device, end.Counter)
				if err != nil {
					return nil, err
				}
				kept.Marked[device] = hash
			}
		}
		all = append(all, Compare(id, marked, kept)...)
	}
	return all, nil
}

// accept records that the database is complete and marks the ends of its chains
// and number series.
func (g *Guard) accept(ctx context.Context, f Facts, books Books) error {
	if f.State.Identity == nil || *f.State.Identity != f.Identity {
		// The identity is recorded before the first mark. So a database without
		// an identity for which marks exist is a copy made before the identity
		// was recorded.
		copied := f.Marks != nil
		if f.State.Identity != nil {
			copied = !f.State.Identity.Same(f.Identity)
		}
		if err := g.Keeper.RecordIdentity(ctx, f.Identity, copied); err != nil {
			return fmt.Errorf("record the identity of the database: %w", err)
		}
	}
	if g.Marks == nil {
		return nil
	}
	err := g.Marks.Begin(f.State.Generation, f.Identity)
	for id, b := range books {
		if err == nil {
			err = g.Marks.Add(id, b)
		}
	}
	g.marked(err)
	return nil
}

// begin stores the compared state and clears what was seen before a recovery.
func (g *Guard) begin(f Facts, books Books) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.generation != f.State.Generation {
		g.generation = f.State.Generation
		clear(g.documents)
		g.pending = ""
	}
	g.identity = f.Identity
	if !f.State.Stopped() {
		for id, b := range books {
			g.documents[id] = max(g.documents[id], b.Documents)
		}
	}
}

func (g *Guard) stop(ctx context.Context, reason string) error {
	g.Log.Error("issuing is stopped: the database may be older than the invoices already issued; run khatm recover", "reason", reason)
	g.Status.Stop(ready.Chain, g.Now(), reason)
	if err := g.Keeper.StopIssuing(ctx, reason); err != nil {
		return fmt.Errorf("record that issuing is stopped: %w", err)
	}
	return nil
}

// Stop stops issuing for a reason found by another part of the server.
func (g *Guard) Stop(reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopLocked(reason)
}

func (g *Guard) stopLocked(reason string) {
	if g.pending == "" {
		g.pending = reason
	}
	g.Status.Stop(ready.Chain, g.Now(), reason)
}

// Poll applies the decisions of other processes and records those of this one.
func (g *Guard) Poll(ctx context.Context) error {
	state, err := g.Keeper.Continuity(ctx)
	if err != nil {
		return err
	}
	identity, err := g.Keeper.Identity(ctx)
	if err != nil {
		return err
	}
	if g.Marks != nil {
		if err := g.Marks.Check(); err != nil {
			g.marked(err)
		}
	}
	g.mu.Lock()
	pending, known, same := g.pending, g.generation == state.Generation, g.identity.Same(identity)
	g.mu.Unlock()
	switch {
	case !same && !identity.Server():
		g.Stop("the database file was replaced while the server was running: restart the server")
		return nil
	case pending != "" && !state.Stopped() && known:
		return g.stop(ctx, pending)
	case !state.Stopped() && known && g.Status.Stopped(ready.Chain):
		// Only a recovery, which increases the generation, ends a stop. So this
		// is another database.
		same = false
	}
	if !known || !same {
		g.compared.Store(-1)
	}
	if g.Keeper.Reconnections() != g.compared.Load() {
		return g.Compare(ctx)
	}
	g.apply(state)
	return nil
}

// Compared reports whether the database is still the one that was last
// compared, judged by its connections.
func (g *Guard) Compared() bool { return g.Keeper.Reconnections() == g.compared.Load() }

// apply publishes the state of the database in Status.
func (g *Guard) apply(s State) {
	g.mu.Lock()
	pending := g.pending
	g.mu.Unlock()
	switch {
	case s.Stopped():
		if g.Status.Stop(ready.Chain, g.Now(), s.Reason) {
			g.Log.Error("issuing is stopped: the database may be older than the invoices already issued; run khatm recover", "reason", s.Reason)
		}
	case pending == "" && g.Status.Clear(ready.Chain):
		g.Log.Info("issuing has resumed: the database was recovered")
	}
}

// compareTime limits a comparison that a request waits for.
const compareTime = 10 * time.Second

// Ready returns nil, or why nothing can be issued. It compares first if the
// database may have been replaced, so it must not be called inside a
// transaction.
func (g *Guard) Ready() error {
	if g.Keeper.Reconnections() != g.compared.Load() {
		if err := g.compareSoon(); err != nil {
			g.Log.Error("issuing is stopped until the database can be compared with the marks", "cause", err.Error())
		}
	}
	return g.Status.Err()
}

// compareSoon is Compare with a timeout. The timeout starts after any running
// comparison has finished. Otherwise a timeout while waiting would hide that
// the other comparison succeeded.
func (g *Guard) compareSoon() error {
	g.comparing.Lock()
	defer g.comparing.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), compareTime)
	defer cancel()
	return g.compareAlone(ctx)
}

// StillReady is Ready for use inside a transaction. It does not compare,
// because this needs the writer that the transaction holds, but returns
// ready.ErrRecheck if a comparison is necessary.
func (g *Guard) StillReady() error {
	if !g.Compared() {
		return ready.ErrRecheck
	}
	return g.Status.Err()
}

// Admit returns an error if the organisation must not issue. The caller has
// locked the book of the organisation and passes its number of documents and
// the recorded reason of a stop, or "".
func (g *Guard) Admit(organisation uuid.UUID, documents int64, stopped string) error {
	switch {
	case stopped != "":
		return ready.Refusal(ready.Chain)
	case g.Keeper.Reconnections() != g.compared.Load():
		return ready.ErrRecheck
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.documents[organisation]
	if documents < before {
		g.stopLocked(fmt.Sprintf("organisation %s has %d documents in the database, fewer than the %d before", organisation, documents, before))
		return ready.Refusal(ready.Chain)
	}
	g.documents[organisation] = documents
	return nil
}

// Appended records the ends of an organisation's chains and number series after
// a commit.
func (g *Guard) Appended(organisation uuid.UUID, b Book) {
	g.mu.Lock()
	g.documents[organisation] = max(g.documents[organisation], b.Documents)
	g.mu.Unlock()
	if g.Marks != nil {
		g.marked(g.Marks.Add(organisation, b))
	}
}

// marked logs when the marks can no longer be written and when they can be
// written again.
func (g *Guard) marked(err error) {
	g.mu.Lock()
	was := g.unmarked
	g.unmarked = err != nil
	g.mu.Unlock()
	switch {
	case err != nil && !was:
		g.Log.Error("the marks cannot be written, so a restored database may not be detected; check the folder", "folder", g.Marks.Path(), "cause", err.Error())
	case err == nil && was:
		g.Log.Info("the marks can be written again", "folder", g.Marks.Path())
	}
}

// Unmarked reports whether the last mark could not be written.
func (g *Guard) Unmarked() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.unmarked
}
