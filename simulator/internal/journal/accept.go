package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Append writes the record of a request, saves answer (nil for none), and
// returns the record as written. A record with the outcome Accepted adds the
// document to the index, as Accept does, but without checking whether it is
// known already.
func (j *Journal) Append(r Record, answer []byte) (Record, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.append(r, answer)
}

// Accept records a valid document, unless its environment accepted the same
// hash within 24 hours. If several identical documents arrive at once, first is
// true for exactly one of them: its record is written as Accepted, with the
// answer to save, and returned. For the others nothing is written and the
// earlier record is returned; the caller then appends a Duplicate.
func (j *Journal) Accept(r Record, answer []byte) (first bool, kept Record, err error) {
	if r.Hash == "" || r.Hash != clip(r.Hash) {
		return false, Record{}, errors.New("accept a document: the hash is empty, too long or not valid UTF-8")
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	earlier, found, err := j.lookup(clip(r.Environment), r.Hash)
	if err != nil || found {
		return false, earlier, err
	}
	r.Outcome = Accepted
	kept, err = j.append(r, answer)
	return err == nil, kept, err
}

// Lookup returns the record of a document if the environment accepted it within
// the last 24 hours.
func (j *Journal) Lookup(environment, hash string) (r Record, found bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.lookup(clip(environment), hash)
}

// Answer returns the saved answer of a record, or nil if it has none.
func (j *Journal) Answer(r Record) ([]byte, error) {
	if r.AnswerSize == 0 {
		return nil, nil
	}
	answer := make([]byte, r.AnswerSize)
	if _, err := j.answers.ReadAt(answer, r.AnswerAt); err != nil {
		return nil, fmt.Errorf("read the saved answer of %s: %w", r.UUID, err)
	}
	return answer, nil
}

// All returns every record in the order of writing, up to the end of the file
// when the iteration starts. It does not block writers.
func (j *Journal) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		j.mu.Lock()
		size := j.lines.end()
		j.mu.Unlock()
		for line, err := range lines(j.lines, size) {
			var r Record
			if err == nil {
				r, err = readLine(line.text)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func (j *Journal) append(r Record, answer []byte) (Record, error) {
	now := j.now()
	r.Time = now.UTC().Round(0)
	r.AnswerAt, r.AnswerSize = 0, int64(len(answer))
	if len(answer) > 0 {
		at, err := j.answers.append(answer)
		if err != nil {
			return Record{}, fmt.Errorf("save an answer: %w", err)
		}
		r.AnswerAt = at
	}
	line, err := r.line()
	if err != nil {
		return Record{}, err
	}
	at, err := j.lines.append(line)
	if err != nil {
		return Record{}, fmt.Errorf("write a record: %w", err)
	}
	j.index.turn(now)
	if r.Outcome == Accepted && r.Hash != "" {
		j.index.add(digestOf(r.Environment, r.Hash), at)
	}
	return r, nil
}

func (j *Journal) lookup(environment, hash string) (Record, bool, error) {
	now := j.now()
	j.index.turn(now)
	at, found := j.index.find(digestOf(environment, hash))
	if !found {
		return Record{}, false, nil
	}
	r, err := j.read(at)
	if err != nil {
		return Record{}, false, fmt.Errorf("read the record of an accepted document: %w", err)
	}
	// The index contains only a digest, so compare the texts themselves.
	if r.Hash != hash || r.Environment != environment || now.Sub(r.Time) >= Window {
		return Record{}, false, nil
	}
	return r, true, nil
}

// read returns the record that starts at an offset.
func (j *Journal) read(at int64) (Record, error) {
	const usual = 1 << 10
	for size := usual; ; size *= 4 {
		buffer := make([]byte, size)
		n, err := j.lines.ReadAt(buffer, at)
		if end := bytes.IndexByte(buffer[:n], '\n'); end >= 0 {
			return readLine(buffer[:end])
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return Record{}, err
		}
		if err != nil || size > maxLine {
			return Record{}, errors.New("the line has no line break")
		}
	}
}
