package audit

import (
	"context"
	"fmt"
	"sync"
)

// job is a document in the queue of the workers.
type job struct {
	unit     *unit
	document Document
	err      error // of the source
	result   examined
	done     chan struct{}
}

// takeDocuments examines the documents of all devices concurrently and collects
// the results in order.
func (w *walk) takeDocuments(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	work := make(chan *job)
	// The documents in memory are those in this queue and those of the workers.
	queue := make(chan *job, 2*w.options.Workers)
	var all sync.WaitGroup
	for range w.options.Workers {
		all.Go(func() {
			for j := range work {
				j.result = w.examine(j.unit, &j.document)
				close(j.done)
			}
		})
	}
	all.Go(func() { w.feed(ctx, work, queue) })
	defer all.Wait()
	defer stop()
	return w.collect(ctx, queue)
}

// feed sends every document to the workers and, in order, to the queue.
func (w *walk) feed(ctx context.Context, work, queue chan<- *job) {
	defer close(queue)
	defer close(work)
	send := func(to chan<- *job, j *job) bool {
		select {
		case to <- j:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for _, u := range w.devices {
		for d, err := range w.source.Documents(ctx, u.Device) {
			j := &job{unit: u, document: d, err: err, done: make(chan struct{})}
			if err != nil {
				close(j.done)
				send(queue, j)
				return
			}
			if !send(queue, j) || !send(work, j) {
				return
			}
		}
	}
}

// collect adds the examined documents to their chains.
func (w *walk) collect(ctx context.Context, queue <-chan *job) error {
	at := 0
	chain := w.chainAt(at)
	for j := range queue {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.err != nil {
			return fmt.Errorf("read the documents of device %s: %w", j.unit.ID, j.err)
		}
		for w.devices[at] != j.unit {
			chain.end()
			at++
			chain = w.chainAt(at)
		}
		if err := chain.take(&j.document, j.result); err != nil {
			return err
		}
		w.done++
		w.options.Progress(w.done, max(w.total, w.done))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for ; at < len(w.devices); at++ {
		chain.end()
		chain = w.chainAt(at + 1)
	}
	return nil
}

func (w *walk) chainAt(at int) *chain {
	if at >= len(w.devices) {
		return nil
	}
	return &chain{walk: w, unit: w.devices[at]}
}
