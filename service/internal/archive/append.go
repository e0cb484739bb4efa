package archive

import (
	"bytes"
	"context"
	"fmt"
)

// groupSize is the size of lines up to which calls share a write. Larger batches
// would only delay the first callers.
const groupSize = 4 << 20

// group are the callers of Append whose lines are written together.
type group struct {
	lines []byte // each with a newline
	count int
	done  chan struct{} // closed after err is set
	err   error
}

// Append makes lines durable, each one JSON object without a newline. Concurrent
// calls share one write. After an error, the lines may or may not be in the archive,
// and the caller appends them again; readers accept repeated lines.
func (a *Archive) Append(ctx context.Context, lines [][]byte) error {
	size, err := measure(lines)
	if err != nil || len(lines) == 0 {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	g, err := a.enter(lines, size)
	if err != nil {
		return err
	}
	select {
	case <-g.done:
		return g.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// measure returns the size of the lines in a batch.
func measure(lines [][]byte) (int, error) {
	size := 0
	for _, line := range lines {
		if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' || bytes.IndexByte(line, '\n') >= 0 {
			return 0, fmt.Errorf("%w: a line must be one JSON object without a newline", ErrInvalid)
		}
		size += len(line) + 1
	}
	if size > maxLines {
		return 0, fmt.Errorf("%w: %d bytes of lines, more than %d", ErrInvalid, size, maxLines)
	}
	return size, nil
}

// enter adds lines to the next write. If no write is in progress, it starts one.
func (a *Archive) enter(lines [][]byte, size int) (*group, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.ended != nil:
		return nil, a.ended
	case a.journal == nil:
		return nil, fmt.Errorf("%w: no epoch was begun or joined", ErrInvalid)
	}
	if n := len(a.waiting); n == 0 || len(a.waiting[n-1].lines)+size > groupSize {
		a.waiting = append(a.waiting, &group{lines: a.spare[:0], done: make(chan struct{})})
		a.spare = nil
	}
	g := a.waiting[len(a.waiting)-1]
	for _, line := range lines {
		g.lines = append(append(g.lines, line...), '\n')
	}
	g.count += len(lines)
	if !a.writing {
		a.writing = true
		a.writer.Go(a.writeAll)
	}
	return g, nil
}

// writeAll writes groups until none is waiting.
func (a *Archive) writeAll() {
	for {
		g, to, ended := a.pop()
		if g == nil {
			return
		}
		if g.err = ended; ended == nil {
			g.err = a.write(to, g)
		}
		close(g.done)
	}
}

// pop returns the next group, or nil if none is waiting.
func (a *Archive) pop() (*group, journal, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.waiting) == 0 {
		a.waiting, a.writing = nil, false
		return nil, nil, nil
	}
	g := a.waiting[0]
	a.waiting = a.waiting[1:]
	return g, a.journal, a.ended
}

// write writes a group. It acknowledges it only if this epoch was still the newest
// after the write, so that a recovery, which begins an epoch before it reads, sees
// everything that was acknowledged.
func (a *Archive) write(to journal, g *group) error {
	p := pack(a.packer, g.lines, a.packed)
	a.packed = reusable(p.text)
	written, err := to.write(a.live, p)
	if err == nil {
		err = a.verifyNewest(a.live)
	}
	now := a.now()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spare, g.lines = reusable(g.lines), nil
	if err != nil {
		a.stats.Failures++
		a.stats.LastFailure = now
		return fmt.Errorf("write to the archive: %w", err)
	}
	a.reached = to.position()
	a.stats.Batches++
	a.stats.Lines += int64(g.count)
	a.stats.Bytes += int64(written)
	a.stats.LastWrite = now
	return nil
}

// Reached returns the last batch that was acknowledged, and its journal. The batch is 0
// if this process has written none.
func (a *Archive) Reached() (journal string, batch uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.reached.folder, a.reached.batch
}

// reusable returns b, or nil if it is so large that its memory should be released.
func reusable(b []byte) []byte {
	if cap(b) > 2*groupSize {
		return nil
	}
	return b
}
