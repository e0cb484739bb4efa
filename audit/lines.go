package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// maxLine limits the lines of a journal; records are shorter.
const maxLine = 64 << 10

// journalLine is one line of a journal.
type journalLine struct {
	number int64  // from 1
	size   int64  // including the line break
	text   []byte // without the line break; valid until the next line; nil if it is too long
	torn   bool   // the line break is missing, as after a crash of the writer
}

// journalLines yields the lines of a journal. The error is that of the reader.
func journalLines(from io.Reader) iter.Seq2[journalLine, error] {
	return func(yield func(journalLine, error) bool) {
		reader := bufio.NewReaderSize(from, maxLine)
		for number := int64(1); ; number++ {
			text, err := reader.ReadSlice('\n')
			size, long := int64(len(text)), false
			for errors.Is(err, bufio.ErrBufferFull) {
				long = true
				text, err = reader.ReadSlice('\n')
				size += int64(len(text))
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(journalLine{}, fmt.Errorf("read line %d: %w", number, err))
				return
			}
			if size == 0 {
				return
			}
			line := journalLine{number: number, size: size, torn: err != nil}
			if !long {
				line.text = bytes.TrimSuffix(text, []byte("\n"))
			}
			if !yield(line, nil) || line.torn {
				return
			}
		}
	}
}

// records yields the records of a journal. It adds a remark for a torn last line
// and a fault for any other line that is not a valid record, and skips both.
func records[T any](r *Report, count *Count, whose string, from io.Reader, read func([]byte) (T, error)) iter.Seq2[numbered[T], error] {
	return func(yield func(numbered[T], error) bool) {
		for line, err := range journalLines(from) {
			if err != nil {
				yield(numbered[T]{}, fmt.Errorf("read the journal of %s: %w", whose, err))
				return
			}
			if line.torn {
				count.Torn = line.size
				r.remark("the journal of %s ends in the middle of line %d (%d bytes), as after a crash; that line was ignored", whose, line.number, line.size)
				return
			}
			record, err := readOne(line.text, read)
			if err != nil {
				count.Bad++
				r.find(Fault{Invariant: Journal, Text: fmt.Sprintf("line %d of the journal of %s is not a valid record: %v", line.number, whose, err)})
				continue
			}
			count.Records++
			if !yield(numbered[T]{line.number, record}, nil) {
				return
			}
		}
	}
}

func readOne[T any](text []byte, read func([]byte) (T, error)) (record T, err error) {
	if text == nil {
		return record, fmt.Errorf("line has more than %d bytes", maxLine)
	}
	return read(text)
}

// numbered is a record with its line number.
type numbered[T any] struct {
	line   int64
	record T
}
