package submit

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/work"
)

// Config is what a submitter is made of.
type Config struct {
	Keeper    Keeper
	Authority Authority
	// Credentials opens what a device signs in with.
	Credentials func(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Credentials, error)
	Now         func() time.Time
	Random      io.Reader
	Log         *slog.Logger

	Name    string        // of this process, in the attempts
	Workers int           // documents under way at a time
	Lease   time.Duration // how long a turn lasts: longer than a call may take
	Poll    time.Duration // how often is looked without being woken
	Retry   Backoff       // of documents without an answer
	Probe   Backoff       // of parked devices
	Copy    Backoff       // of requests for stamped copies
	Copies  int           // requests for stamped copies under way at a time, beside the workers
	Silence time.Duration // after a 429 that does not say how long
	Paused  bool          // nothing is sent
	Alone   bool          // no other process sends: what was claimed at the start is nobody's

	// Begin reports whether the time is known as well as it can be at the start;
	// before, nothing is claimed or moved. Trusted reports whether the time is
	// right as far as is known: otherwise nothing is stopped because of its age.
	// Known reports whether Now has been compared with the authority's time, or
	// cannot be: before, nothing is sent that may have arrived already. All may be
	// nil.
	Begin, Trusted, Known func() bool

	// Point, in tests, is told of the steps of a send and may stop the process.
	Point func(step string)
}

// Submitter sends documents.
type Submitter struct {
	Config
	gates    map[ledger.Route]*gate
	recorder recorder
	figures  figures

	wake   atomic.Pointer[func()]
	ending chan struct{}
	calls  context.Context //nolint:containedctx // of all calls; ended by Close
	cancel context.CancelFunc
	ended  sync.WaitGroup

	mu         sync.Mutex
	sending    int // calls under way
	unrecorded int // jobs claimed and not yet written down
	copying    int // copy requests claimed and not yet written down

	// Of the loops alone.
	tookBack bool
	after    map[ledger.Route]uuid.UUID
	marks    marks
	copiesAt time.Time // when copy requests are next looked for
	wholeAt  time.Time // when damaged documents are next read again
}

// New makes a submitter. Nothing runs yet.
func New(c Config) *Submitter {
	s := &Submitter{Config: c, ending: make(chan struct{}), after: map[ledger.Route]uuid.UUID{}}
	s.gates = map[ledger.Route]*gate{ledger.ByClearance: {}, ledger.ByReporting: {}}
	s.recorder = recorder{s: s, byOrg: map[uuid.UUID][]*pending{}}
	s.calls, s.cancel = context.WithCancel(context.Background())
	return s
}

// Start begins to send, in loops that are stopped before Close is called.
func (s *Submitter) Start(loops *work.Loops) {
	wake := loops.Start("send documents", s.Poll, s.turn)
	s.wake.Store(&wake)
	loops.Start("look after what waits to be sent", s.Poll, s.sweep)
	loops.Start("count what waits to be sent", countEvery*s.Poll, s.count)
}

// countEvery is how often the backlog is counted, in looks.
const countEvery = 10

// Wake has it look at once: something was queued.
func (s *Submitter) Wake() {
	if wake := s.wake.Load(); wake != nil {
		(*wake)()
	}
}

// Ask sends a document again because a caller wants it.
func (s *Submitter) Ask(ctx context.Context, by org.Actor, invoice uuid.UUID) error {
	if err := s.Keeper.Ask(ctx, by, invoice); err != nil {
		return err
	}
	s.Wake()
	return nil
}

// Close waits for calls under way, but no longer than so, and then ends them.
// What is not written down by then is taken back when its turn is over.
func (s *Submitter) Close(longest time.Duration) {
	ended := make(chan struct{})
	go func() {
		s.ended.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(longest):
		close(s.ending)
		s.cancel()
		select {
		case <-ended:
		case <-time.After(longest):
			s.Log.Error("sending does not end")
		}
	}
	s.cancel()
}

// Skew is more than the clocks of two servers may differ: each may be off by
// ten minutes.
const Skew = 30 * time.Minute

// begun reports whether sending may begin.
func (s *Submitter) begun() bool { return s.Begin == nil || s.Begin() }

// retryAfter is how long a document waits after so many failures.
func (s *Submitter) retryAfter(failures int) time.Duration {
	return jittered(s.Retry.After(failures), s.Random)
}

func (s *Submitter) at(step string) {
	if s.Point != nil {
		s.Point(step)
	}
}
