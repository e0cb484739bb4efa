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

// Config configures a Submitter.
type Config struct {
	Keeper    Keeper
	Authority Authority
	// Credentials returns the credentials of a device for the authority.
	Credentials func(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Credentials, error)
	Now         func() time.Time
	Random      io.Reader
	Log         *slog.Logger

	Name    string        // name of this process, for the record of attempts
	Workers int           // maximum number of documents being sent
	Lease   time.Duration // of a claim; must be longer than a call
	Poll    time.Duration // poll interval
	Retry   Backoff       // for unanswered documents
	Probe   Backoff       // for parked devices
	Copy    Backoff       // for requests for stamped copies
	Copies  int           // maximum number of requests for stamped copies, in addition to Workers
	Silence time.Duration // delay after a 429 without Retry-After
	Paused  bool          // send nothing
	Alone   bool          // no other process sends, so claims found at the start are abandoned

	// Begin reports whether the authority has been asked for the time; until
	// then nothing is claimed or moved. Trusted reports whether the time is
	// right as far as is known; otherwise nothing is stopped because of its
	// age. Known reports whether Now has been compared with the authority's
	// time, or cannot be; until then no document is sent that may already have
	// been received. All may be nil.
	Begin, Trusted, Known func() bool

	// Point is a test hook, called at each step of a send.
	Point func(step string)
}

// Submitter sends documents to the authority.
type Submitter struct {
	Config
	gates    map[ledger.Route]*gate
	recorder recorder
	figures  figures

	wake   atomic.Pointer[func()]
	ending chan struct{}
	calls  context.Context //nolint:containedctx // of all calls; canceled by Close
	cancel context.CancelFunc
	ended  sync.WaitGroup

	mu         sync.Mutex
	sending    int // calls in progress
	unrecorded int // jobs claimed but not recorded
	copying    int // copy requests claimed but not recorded

	// Used by the loops only.
	tookBack bool
	after    map[ledger.Route]uuid.UUID
	marks    marks
	copiesAt time.Time // when copy requests are claimed next
	wholeAt  time.Time // when damaged documents are read next
}

// New returns a Submitter. Start starts it.
func New(c Config) *Submitter {
	s := &Submitter{Config: c, ending: make(chan struct{}), after: map[ledger.Route]uuid.UUID{}}
	s.gates = map[ledger.Route]*gate{ledger.ByClearance: {}, ledger.ByReporting: {}}
	s.recorder = recorder{s: s, byOrg: map[uuid.UUID][]*pending{}}
	s.calls, s.cancel = context.WithCancel(context.Background())
	return s
}

// Start starts sending in loops, which must be stopped before Close is called.
func (s *Submitter) Start(loops *work.Loops) {
	wake := loops.Start("send documents", s.Poll, s.turn)
	s.wake.Store(&wake)
	loops.Start("move waiting documents", s.Poll, s.sweep)
}

// Watch starts counting what waits, for Figures, also if another process sends it.
func (s *Submitter) Watch(loops *work.Loops) {
	loops.Start("count waiting documents", countEvery*s.Poll, s.count)
}

// countEvery is how often the backlog is counted, in poll intervals.
const countEvery = 10

// Wake starts the next turn at once, after something was queued.
func (s *Submitter) Wake() {
	if wake := s.wake.Load(); wake != nil {
		(*wake)()
	}
}

// Ask queues a document again at the request of a caller.
func (s *Submitter) Ask(ctx context.Context, by org.Actor, invoice uuid.UUID) error {
	if err := s.Keeper.Ask(ctx, by, invoice); err != nil {
		return err
	}
	s.Wake()
	return nil
}

// Close waits up to longest for calls in progress, then cancels them. Claims
// without a recorded result expire and are retried.
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
			s.Log.Error("sending did not stop in time")
		}
	}
	s.cancel()
}

// Skew is more than the difference between the clocks of two servers, each of
// which may be off by ten minutes.
const Skew = 30 * time.Minute

// begun reports whether sending may begin.
func (s *Submitter) begun() bool { return s.Begin == nil || s.Begin() }

// retryAfter returns the delay of a document after a number of failures.
func (s *Submitter) retryAfter(failures int) time.Duration {
	return jittered(s.Retry.After(failures), s.Random)
}

func (s *Submitter) at(step string) {
	if s.Point != nil {
		s.Point(step)
	}
}
