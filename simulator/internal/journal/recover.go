package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// recover reads the whole file, fills the index and removes an incomplete last
// line.
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
			return damage // not the last line
		}
		r, err := readLine(line.text)
		if err != nil {
			// After a power failure the last line may be complete but invalid.
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

// restore adds a record of an earlier run to the index. A time in the future
// counts as now, because the simulator's clock may have been set back.
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

// fileLine is one line and its position.
type fileLine struct {
	at, size int64
	text     []byte // at most maxLine bytes; valid until the next line is read
	whole    bool   // whether it ends with a line break
}

// lines returns the lines in the first size bytes of a store.
func lines(from io.ReaderAt, size int64) iter.Seq2[fileLine, error] {
	return func(yield func(fileLine, error) bool) {
		reader := bufio.NewReaderSize(io.NewSectionReader(from, 0, size), maxLine)
		at := int64(0)
		for {
			text, err := reader.ReadSlice('\n')
			length := int64(len(text))
			if errors.Is(err, bufio.ErrBufferFull) {
				// No record is this long. It is a damaged line if it ends with
				// a line break, otherwise a block of zeros left by a power
				// failure.
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

// skipLine reads to the end of a line and returns the number of bytes read.
func skipLine(reader *bufio.Reader) (skipped int64, err error) {
	for {
		more, err := reader.ReadSlice('\n')
		skipped += int64(len(more))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return skipped, err
		}
	}
}
