package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// recover reads the file from its beginning, fills the index and cuts off a
// torn end.
func (j *Journal) recover(path string) error {
	now := j.now()
	end := int64(0)
	var damage *Corrupt
	for line, err := range lines(j.lines, j.lines.end()) {
		if err != nil {
			return err
		}
		if !line.whole {
			break
		}
		if damage != nil {
			return damage // it is not at the end
		}
		r, err := readLine(line.text)
		if err != nil {
			// After a power cut the last line may be there and be nonsense.
			damage = &Corrupt{path, line.at, err}
			continue
		}
		end = line.at + line.size
		j.Opened.Records++
		j.restore(r, line.at, now)
	}
	j.Opened.Known = j.index.size()
	if j.Opened.Torn = j.lines.end() - end; j.Opened.Torn > 0 {
		return j.lines.cut(end)
	}
	return nil
}

// restore enters a record of before into the index. A time that is yet to come
// counts as now: the clock of a simulator may be set back.
func (j *Journal) restore(r Record, at int64, now time.Time) {
	if r.Outcome != Accepted || now.Sub(r.Time) >= Window {
		return
	}
	d := digestOf(r.Environment, r.Hash)
	if _, again := j.index.find(d); !again && r.AnswerAt+r.AnswerSize > j.answers.end() {
		j.Opened.Lost++
	}
	j.index.add(d, at)
}

// fileLine is one line with its place.
type fileLine struct {
	at, size int64
	text     []byte // at most maxLine of it; valid until the next one
	whole    bool   // it has its line end
}

// lines reads a store up to size, one line at a time.
func lines(from io.ReaderAt, size int64) iter.Seq2[fileLine, error] {
	return func(yield func(fileLine, error) bool) {
		reader := bufio.NewReaderSize(io.NewSectionReader(from, 0, size), maxLine)
		at := int64(0)
		for {
			text, err := reader.ReadSlice('\n')
			length := int64(len(text))
			if errors.Is(err, bufio.ErrBufferFull) {
				// No record is so long: a damaged one, or the zeros that a power
				// cut leaves. How it ends says which.
				var rest int64
				rest, err = skipLine(reader)
				text, length = nil, length+rest
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(fileLine{}, fmt.Errorf("read the line at byte %d: %w", at, err))
				return
			}
			whole := err == nil
			if length == 0 || !yield(fileLine{at, length, text, whole}, nil) || !whole {
				return
			}
			at += length
		}
	}
}

// skipLine reads to the end of a line and returns how much it passed over.
func skipLine(reader *bufio.Reader) (skipped int64, err error) {
	for {
		more, err := reader.ReadSlice('\n')
		skipped += int64(len(more))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return skipped, err
		}
	}
}
