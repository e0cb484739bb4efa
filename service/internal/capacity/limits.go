package capacity

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"khatm/service/internal/fault"
)

// Limits holds the pools of a server. A nil pool has no limit.
//
// A request that needs several claims acquires them in the order of the fields, so
// that requests cannot wait for each other in a circle.
type Limits struct {
	Calls   *Pool // requests in progress
	Buffers *Pool // bytes of bodies, received or to be sent
	Brief   *Pool // requests that compute for about ten milliseconds at most
	Work    *Pool // requests that compute for longer
	Memory  *Pool // bytes that these two need beside their bodies
	Readers *Pool // reads of the database in progress
	Streams *Pool // open streams of events, which hold no other claims

	presence *presence
	ended    atomic.Int64 // bytes of jobs that ended after the last collection
}

// Settings are what the limits of a server are derived from.
type Settings struct {
	Heap    int64 // memory for the Go heap, in bytes
	Cores   int   // cores of the machine
	Readers int   // connections for reading the database

	Wait time.Duration // longest wait in each queue; 0 means MaxWait
}

// MaxWait is the default of the longest wait in a queue.
const MaxWait = 5 * time.Second

// WholeInvoice is the memory in bytes that a request needs to read or write an
// invoice of the largest size.
const WholeInvoice = 16 << 20

// maxQueue is how many requests of one subject can wait for a pool.
const maxQueue = 256

// What every subject can have even if others, who may be slow to send or to read, use
// everything.
const (
	fewCalls  = 8
	fewBodies = 64 << 10 // bytes
)

// New returns the limits of a server.
//
// Long work leaves one core to everything else, unless only one subject calls. One
// subject leaves part of each pool to the others, and a few small requests need not
// wait for the calls and bodies of others, which can last as long as a connection. Memory for work is half of the
// heap and that for bodies an eighth; the rest remains for everything else and for
// the garbage collector.
func New(s Settings) *Limits {
	held := func(total, each, floor int64) *Pool {
		return NewPool(Bounds{Total: total, Each: each, Floor: floor, Queue: maxQueue, Wait: cmp.Or(s.Wait, MaxWait)})
	}
	pool := func(total, each int64) *Pool { return held(total, each, 0) }
	calls := max(256, s.Heap>>18)
	seen := &presence{}
	cores, readers := int64(s.Cores), int64(s.Readers)
	work := NewPool(Bounds{
		Total: max(1, cores-1), Each: max(1, cores-2), Queue: maxQueue, Wait: cmp.Or(s.Wait, MaxWait),
		Alone: seen.alone, AloneTotal: cores,
	})
	return &Limits{
		presence: seen,

		Calls:   held(calls, calls/4, fewCalls),
		Buffers: held(s.Heap/8, s.Heap/16, fewBodies),
		Brief:   pool(4*cores, max(1, cores/2)),
		Work:    work,
		Memory:  pool(s.Heap/2, s.Heap*3/8),
		Readers: pool(readers, max(1, readers/2)),
		Streams: NewPool(Bounds{Total: calls / 2, Each: calls / 8}), // nothing waits for a stream to end
	}
}

// Process waits until a request of the subject may compute with the given number
// of bytes of memory. The caller must end the returned job. Within another job,
// that is with a context of [Job.Context], it only enlarges that job.
func (l *Limits) Process(ctx context.Context, bytes int64) (*Job, error) {
	return l.begin(ctx, bytes, false)
}

// ProcessBriefly is like [Limits.Process] for a request that takes at most about ten
// milliseconds. It does not wait for longer ones.
func (l *Limits) ProcessBriefly(ctx context.Context, bytes int64) (*Job, error) {
	return l.begin(ctx, bytes, true)
}

func (l *Limits) begin(ctx context.Context, bytes int64, brief bool) (*Job, error) {
	if l == nil {
		return nil, nil //nolint:nilnil // a nil job can be enlarged and ended
	}
	if outer, within := ctx.Value(jobKey{}).(*Job); within {
		return &Job{outer: outer}, outer.enlarge(ctx, bytes, brief)
	}
	j := &Job{limits: l, brief: brief, bytes: bytes}
	var err error
	if j.work, err = l.slots(brief).Acquire(ctx, 1); err != nil {
		return nil, err
	}
	if j.memory, err = l.Memory.Acquire(ctx, bytes); err != nil {
		j.work.Release()
		return nil, err
	}
	return j, nil
}

func (l *Limits) slots(brief bool) *Pool {
	if brief {
		return l.Brief
	}
	return l.Work
}

// Job is a request that computes. It is used by one goroutine. A nil Job has no
// limits.
type Job struct {
	limits *Limits
	brief  bool
	work   *Claim // of Brief or Work
	memory *Claim
	bytes  int64
	outer  *Job // if set, the job that everything belongs to
}

type jobKey struct{}

// Context returns a context within the job.
func (j *Job) Context(ctx context.Context) context.Context {
	if j == nil || j.outer != nil {
		return ctx
	}
	return context.WithValue(ctx, jobKey{}, j)
}

// Enlarge waits until the job may use the given number of bytes in all, and compute
// for longer than a brief job. It gives up what it has first, so that two jobs never
// wait for each other.
func (j *Job) Enlarge(ctx context.Context, bytes int64) error {
	return j.enlarge(ctx, bytes, false)
}

func (j *Job) enlarge(ctx context.Context, bytes int64, brief bool) (err error) {
	switch {
	case j == nil:
		return nil
	case j.outer != nil:
		return j.outer.enlarge(ctx, bytes, brief)
	case bytes <= j.bytes && (brief || !j.brief):
		return nil
	}
	bytes = max(bytes, j.bytes)
	j.memory.Release()
	j.bytes = 0
	if j.brief && !brief {
		j.work.Release()
		if j.work, err = j.limits.Work.Acquire(ctx, 1); err != nil {
			return err
		}
		j.brief = false
	}
	if j.memory, err = j.limits.Memory.Acquire(ctx, bytes); err == nil {
		j.bytes = bytes
	}
	return err
}

// muchGarbage is the number of bytes of ended jobs after which garbage is collected.
const muchGarbage = 32 << 20

// littleGarbage is the number of bytes of garbage that is never collected at once.
const littleGarbage = 8 << 20

// End releases everything that the job uses. After large jobs it collects garbage at
// once, because the settings of a server delay collection, which suits only small
// requests. It does not if they left little: a job may use much less memory than it
// claimed.
func (j *Job) End() {
	if j == nil || j.outer != nil {
		return
	}
	if !j.brief && j.limits.ended.Add(j.bytes) > muchGarbage {
		live, garbage := heap()
		if garbage > littleGarbage && (j.bytes > muchGarbage || j.limits.ended.Load() > live) {
			j.limits.ended.Store(0)
			runtime.GC()
		}
	}
	j.memory.Release()
	j.work.Release()
}

// heap returns the bytes in use after the last collection of garbage, and at most
// how many bytes another collection would free.
func heap() (live, garbage int64) {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 || s[1].Value.Kind() != metrics.KindUint64 {
		return 0, math.MaxInt64
	}
	live, all := int64(s[0].Value.Uint64()), int64(s[1].Value.Uint64()) //nolint:gosec // no heap is that large
	return live, all - live
}

// Call waits until a request of the subject may begin.
func (l *Limits) Call(ctx context.Context) (*Claim, error) {
	if l == nil {
		return nil, nil //nolint:nilnil // a nil claim can be released
	}
	if subject := Subject(ctx); l.presence != nil && subject != "" {
		l.presence.see(subject)
	}
	return l.Calls.Acquire(ctx, 1)
}

// Stream claims a stream of events for the subject. It does not wait.
func (l *Limits) Stream(ctx context.Context) (*Claim, error) {
	if l == nil {
		return nil, nil //nolint:nilnil // a nil claim can be released
	}
	return l.Streams.Acquire(ctx, 1)
}

// Read waits until the subject may read the database. end must be called when it
// has finished.
func (l *Limits) Read(ctx context.Context) (end func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	claim, err := l.Readers.Acquire(ctx, 1)
	if err != nil {
		return nil, err
	}
	return claim.Release, nil
}

// Each calls report with the name and the usage of each pool.
func (l *Limits) Each(report func(name string, u Usage)) {
	for name, p := range map[string]*Pool{"calls": l.Calls, "buffers": l.Buffers, "brief": l.Brief, "work": l.Work, "memory": l.Memory, "readers": l.Readers, "streams": l.Streams} {
		if p != nil {
			report(name, p.Usage())
		}
	}
}

// busy returns the error of a request that waited too long, or that has too many
// requests of its subject before it.
func busy() error {
	return Busy(fault.ServerBusy, "Too many of your requests are being processed at the moment. Try again shortly.")
}

var errBusy = errors.New("no capacity")

// Busy returns an error for lack of capacity with another code and text.
func Busy(code fault.Code, text string) *fault.Error {
	e := fault.New(code, "%s", text)
	e.Again, e.Cause = MaxWait, errBusy
	return e
}

// IsBusy reports whether a request was refused for lack of capacity.
func IsBusy(err error) bool { return errors.Is(err, errBusy) }
