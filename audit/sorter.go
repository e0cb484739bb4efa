package audit

import (
	"bufio"
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
)

// Scratch is a temporary file for sorting. It is written from the beginning,
// then read, and closed at the end.
type Scratch interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// held is the number of bytes that a sorter keeps in memory before it writes
// them to its file.
const held = 1 << 20

// sorter sorts records of one size by their bytes. It writes records that exceed
// its memory to a file in sorted runs and merges them at the end. Without a file
// it keeps everything in memory.
type sorter struct {
	size    int // of a record
	scratch func() (Scratch, error)

	buffer []byte
	file   Scratch
	end    int64 // of the file
	runs   []run
}

// run is a sorted part of the file.
type run struct{ at, size int64 }

func (s *sorter) put(record []byte) error {
	if len(record) != s.size {
		panic(fmt.Sprintf("audit: record has %d bytes, want %d", len(record), s.size))
	}
	s.buffer = append(s.buffer, record...)
	if s.scratch == nil || len(s.buffer)+s.size <= held {
		return nil
	}
	return s.spill()
}

// spill writes the records in memory as a run.
func (s *sorter) spill() error {
	if s.file == nil {
		file, err := s.scratch()
		if err != nil {
			return fmt.Errorf("open scratch file: %w", err)
		}
		s.file = file
	}
	out := bufio.NewWriterSize(s.file, 64<<10)
	for record := range s.inOrder() {
		if _, err := out.Write(record); err != nil {
			return fmt.Errorf("write scratch file: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write scratch file: %w", err)
	}
	s.runs = append(s.runs, run{s.end, int64(len(s.buffer))})
	s.end += int64(len(s.buffer))
	s.buffer = s.buffer[:0]
	return nil
}

// inOrder yields the records in memory in order.
func (s *sorter) inOrder() iter.Seq[[]byte] {
	at := func(i int32) []byte { return s.buffer[int(i)*s.size : (int(i)+1)*s.size] }
	order := make([]int32, len(s.buffer)/s.size)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return bytes.Compare(at(a), at(b)) })
	return func(yield func([]byte) bool) {
		for _, i := range order {
			if !yield(at(i)) {
				return
			}
		}
	}
}

// sorted yields all records in order; each is valid until the next.
func (s *sorter) sorted() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if len(s.runs) == 0 {
			for record := range s.inOrder() {
				if !yield(record, nil) {
					return
				}
			}
			return
		}
		if len(s.buffer) > 0 {
			if err := s.spill(); err != nil {
				yield(nil, err)
				return
			}
		}
		s.buffer = nil
		s.merge(yield)
	}
}

func (s *sorter) merge(yield func([]byte, error) bool) {
	const least, most = 4 << 10, 256 << 10
	buffer := min(max(held/len(s.runs), least), most)
	var heads merging
	for _, r := range s.runs {
		h := &head{from: bufio.NewReaderSize(io.NewSectionReader(s.file, r.at, r.size), buffer), record: make([]byte, s.size)}
		if err := h.next(); err != nil {
			yield(nil, err)
			return
		}
		heads = append(heads, h)
	}
	heap.Init(&heads)
	for len(heads) > 0 {
		if !yield(heads[0].record, nil) {
			return
		}
		err := heads[0].next()
		switch {
		case errors.Is(err, io.EOF):
			heap.Pop(&heads)
		case err != nil:
			yield(nil, err)
			return
		default:
			heap.Fix(&heads, 0)
		}
	}
}

func (s *sorter) close() error {
	s.buffer = nil
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// head is the next record of a run.
type head struct {
	from   io.Reader
	record []byte
}

func (h *head) next() error {
	_, err := io.ReadFull(h.from, h.record)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read scratch file: %w", err)
	}
	return err
}

// merging is a heap of runs by their next record.
type merging []*head

func (m merging) Len() int           { return len(m) }
func (m merging) Less(i, j int) bool { return bytes.Compare(m[i].record, m[j].record) < 0 }
func (m merging) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }

// Push is never called: no run is added during a merge.
func (m *merging) Push(any) { panic("audit: unexpected Push") }

// Pop implements [heap.Interface].
func (m *merging) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}
