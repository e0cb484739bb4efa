package submit

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// recorder writes the results of each organisation in batches: results that
// arrive during a commit go into the next one.
type recorder struct {
	s *Submitter

	mu    sync.Mutex
	byOrg map[uuid.UUID][]*pending // an entry exists while a worker runs
}

// pending is a result waiting for its commit.
type pending struct {
	result   Result
	until    time.Time // end of the lease, when retries stop
	recorded Recorded
	err      error
	done     chan struct{}
}

// batchSize is the maximum number of results in a commit.
const batchSize = 64

// record waits until a result is written or has failed.
func (r *recorder) record(of org.Tenant, result Result, until time.Time) (Recorded, error) {
	p := &pending{result: result, until: until, done: make(chan struct{})}
	r.mu.Lock()
	waiting, running := r.byOrg[of.ID()]
	r.byOrg[of.ID()] = append(waiting, p)
	r.mu.Unlock()
	if !running {
		go r.work(of)
	}
	<-p.done
	return p.recorded, p.err
}

// work writes batches until none are left.
func (r *recorder) work(of org.Tenant) {
	for {
		r.mu.Lock()
		waiting := r.byOrg[of.ID()]
		batch := waiting[:min(len(waiting), batchSize)]
		if len(batch) == 0 {
			delete(r.byOrg, of.ID())
			r.mu.Unlock()
			return
		}
		r.byOrg[of.ID()] = waiting[len(batch):]
		r.mu.Unlock()
		r.write(of, batch)
		for _, p := range batch {
			close(p.done)
		}
	}
}

// write writes a batch. If that fails, it writes the results one by one.
func (r *recorder) write(of org.Tenant, batch []*pending) {
	results := make([]Result, len(batch))
	for i, p := range batch {
		results[i] = p.result
	}
	recorded, err := r.persist(of, results, batch[0].until)
	if err != nil && len(batch) > 1 && fault.KindOf(err) != fault.Unavailable {
		for i := range batch {
			r.write(of, batch[i:i+1])
		}
		return
	}
	for i, p := range batch {
		if p.err = err; err == nil {
			p.recorded = recorded[i]
		}
	}
}

// persist stores results, and retries until the lease ends. A result that is
// not stored is obtained again by another attempt, which the authority answers
// as a duplicate.
func (r *recorder) persist(of org.Tenant, results []Result, until time.Time) ([]Recorded, error) {
	wait := 50 * time.Millisecond
	for {
		ctx, cancel := context.WithTimeout(context.Background(), recordTime)
		recorded, err := r.s.Keeper.Record(ctx, of, results)
		cancel()
		if err == nil || fault.KindOf(err) != fault.Unavailable || !r.s.Now().Add(wait).Before(until) {
			return recorded, err
		}
		select {
		case <-time.After(wait):
		case <-r.s.ending:
			return nil, err
		}
		wait = min(2*wait, 2*time.Second)
	}
}

const recordTime = 30 * time.Second
