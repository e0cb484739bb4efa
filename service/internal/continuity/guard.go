package continuity

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/ready"
)

// Keeper is the database.
type Keeper interface {
	Reader
	// RecordIdentity records the identity. If the database is a copy, what it has
	// no answer for may have been sent from the original.
	RecordIdentity(ctx context.Context, i Identity, copied bool) error
	StopIssuing(ctx context.Context, reason string) error
	// Reconnections counts how often the database may have become another one.
	Reconnections() int64
}

// Config is what a guard works with.
type Config struct {
	Keeper Keeper
	Marks  *Marks // nil: none are kept
	// Trail returns why the database does not have the end of the audit trail
	// that is kept outside it, or nil. The second error is any other failure.
	Trail  func(ctx context.Context) (broken, err error)
	Status *ready.Status
	Now    func() time.Time
	Log    *slog.Logger
}

// Guard keeps a server from issuing while the database may lack documents.
type Guard struct {
	Config
	comparing sync.Mutex
	compared  atomic.Int64 // Keeper.Reconnections when the last comparison began; -1 before the first

	mu         sync.Mutex
	generation int64
	identity   Identity            // when it was last compared
	documents  map[uuid.UUID]int64 // the most that this process has seen, by organisation
	pending    string              // why issuing must stop, until the database has recorded it
	unmarked   bool                // the last mark could not be written
}

// New makes a guard. Nothing may be issued before Compare has returned.
func New(c Config) *Guard {
	g := &Guard{Config: c, documents: map[uuid.UUID]int64{}}
	g.compared.Store(-1)
	return g
}

// Compare decides whether the database has every document that was issued, as
// far as this server knows, and stops issuing if not, and also while that cannot
// be decided.
func (g *Guard) Compare(ctx context.Context) error {
	g.comparing.Lock()
	defer g.comparing.Unlock()
	return g.compareAlone(ctx)
}

func (g *Guard) compareAlone(ctx context.Context) error {
	if err := g.compare(ctx); err != nil {
		g.Status.Stop(ready.Compare, g.Now(), err.Error())
		g.compared.Store(-1) // the next caller tries again
		return fmt.Errorf("compare the database with the marks: %w", err)
	}
	g.Status.Clear(ready.Compare)
	return nil
}

func (g *Guard) compare(ctx context.Context) error {
	at := g.Keeper.Reconnections()
	if at == g.compared.Load() && !g.isNewGeneration(ctx) {
		return nil // another caller has just done it
	}
	facts, books, err := g.gather(ctx)
	if err != nil {
		return err
	}
	if reason := facts.Judge(); reason != "" && !facts.State.Stopped() {
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

// gather reads everything that the decision depends on.
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

// Reader reads what the database has.
type Reader interface {
	Continuity(ctx context.Context) (State, error)
	Identity(ctx context.Context) (Identity, error)
	Books(ctx context.Context) (Books, error)
	// HashAt returns the hash of a document by its place, or "".
	HashAt(ctx context.Context, of org.Tenant, device uuid.UUID, counter int64) (string, error)
}

// Gather compares the database with marks, which may be nil. It does not look at
// the audit trail.
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

// differences returns what marks know and the database does not have.
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

// accept records that the database is complete, and where its chains and numbers
// end.
func (g *Guard) accept(ctx context.Context, f Facts, books Books) error {
	if f.State.Identity == nil || *f.State.Identity != f.Identity {
		// Marks are begun after the identity was recorded: a database without one
		// is a copy from before that.
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

// begin remembers what was compared, and forgets what was seen before a recovery.
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

// Stop stops issuing because of what another part of the server has found.
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

// Poll takes over what other processes have decided, and records what this one
// has.
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
		// Only a recovery, with a new generation, lifts a stop: this is another
		// database.
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

// Compared reports whether the database is the one that was last compared, as
// far as its connections tell.
func (g *Guard) Compared() bool { return g.Keeper.Reconnections() == g.compared.Load() }

// apply shows the state of the database to the rest of the server.
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
		g.Log.Info("issuing goes on: the database was recovered")
	}
}

// compareTime bounds a comparison that a caller waits for.
const compareTime = 10 * time.Second

// Ready returns why nothing can be issued, or nil. It compares first if the
// database may have become another one, so it must not be called inside a
// transaction.
func (g *Guard) Ready() error {
	if g.Keeper.Reconnections() != g.compared.Load() {
		if err := g.compareSoon(); err != nil {
			g.Log.Error("nothing is issued", "cause", err.Error())
		}
	}
	return g.Status.Err()
}

// compareSoon is Compare within compareTime. The time begins when no other
// comparison is under way: one that fails for want of time would hide that the
// other one succeeded.
func (g *Guard) compareSoon() error {
	g.comparing.Lock()
	defer g.comparing.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), compareTime)
	defer cancel()
	return g.compareAlone(ctx)
}

// StillReady is Ready inside a transaction: it compares nothing, for which the
// writer would be needed that the transaction holds, and returns ready.ErrRecheck
// instead.
func (g *Guard) StillReady() error {
	if !g.Compared() {
		return ready.ErrRecheck
	}
	return g.Status.Err()
}

// Admit refuses documents of an organisation whose book is held, with the number
// of documents that it has and the reason that the database has recorded.
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
		g.stopLocked(fmt.Sprintf("organisation %s has %d documents in the database, and had %d before", organisation, documents, before))
		return ready.Refusal(ready.Chain)
	}
	g.documents[organisation] = documents
	return nil
}

// Appended records the ends of an organisation's chains and numbers after a
// commit.
func (g *Guard) Appended(organisation uuid.UUID, b Book) {
	g.mu.Lock()
	g.documents[organisation] = max(g.documents[organisation], b.Documents)
	g.mu.Unlock()
	if g.Marks != nil {
		g.marked(g.Marks.Add(organisation, b))
	}
}

// marked logs that marks cannot be written, once, and that they can be again.
func (g *Guard) marked(err error) {
	g.mu.Lock()
	was := g.unmarked
	g.unmarked = err != nil
	g.mu.Unlock()
	switch {
	case err != nil && !was:
		g.Log.Error("the marks cannot be written: a restored database may go unnoticed", "folder", g.Marks.Path(), "cause", err.Error())
	case err == nil && was:
		g.Log.Info("the marks are written again", "folder", g.Marks.Path())
	}
}

// Unmarked reports whether the last mark could not be written.
func (g *Guard) Unmarked() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.unmarked
}
