package audit

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// seriesKey identifies the numbers of one organisation that begin with the same
// text, such as INV-2026-.
type seriesKey [16]byte

// numberSize is the length of a number record in bytes.
const numberSize = 16 + 8 + 16 + 4

// number is a document's number in its series.
type number struct {
	series seriesKey
	n      uint64
	id     uuid.UUID
	device uint32
}

func (n number) bytes() []byte {
	b := append(make([]byte, 0, numberSize), n.series[:]...)
	b = binary.BigEndian.AppendUint64(b, n.n)
	b = append(b, n.id[:]...)
	return binary.BigEndian.AppendUint32(b, n.device)
}

func numberOf(b []byte) number {
	return number{seriesKey(b[:16]), binary.BigEndian.Uint64(b[16:]), uuid.UUID(b[24:40]), binary.BigEndian.Uint32(b[40:])}
}

// enterNumber passes a document's number to the sorter.
func (w *walk) enterNumber(u *unit, d *Document) error {
	text := strings.TrimRight(d.Number, "0123456789")
	n, err := strconv.ParseUint(d.Number[len(text):], 10, 63)
	if err != nil {
		w.report.find(Fault{Invariant: NoNumberWasted, Organisation: u.Organisation, Device: u.ID, Document: d.ID, Counter: d.Counter,
			Text: fmt.Sprintf("its number %q does not end in digits, so its series cannot be checked", clipHash(d.Number))})
		return nil
	}
	key := seriesOf(u.Organisation, text)
	w.series[key] = text
	return w.numbers.put(number{key, n, d.ID, u.place}.bytes())
}

func seriesOf(organisation uuid.UUID, text string) seriesKey {
	sum := digest(organisation.String() + "\x00" + text)
	return seriesKey(sum[:16])
}

// takeNumberGaps reads the numbers that were declared to be missing.
func (w *walk) takeNumberGaps(ctx context.Context) error {
	for g, err := range w.source.NumberGaps(ctx) {
		if err != nil {
			return fmt.Errorf("read the declared gaps: %w", err)
		}
		key := seriesOf(g.Organisation, g.Series)
		w.skipped[key] = append(w.skipped[key], g)
	}
	return nil
}

// declared reports whether all numbers between two were declared to be missing.
func (w *walk) declared(series seriesKey, after, before uint64) bool {
	for _, g := range w.skipped[series] {
		if uint64(g.First) == after+1 && uint64(g.Last) < before {
			after = uint64(g.Last)
		}
	}
	return after+1 == before
}

// judgeNumbers reports gaps and repeats in each series.
func (w *walk) judgeNumbers(context.Context) error {
	var last number
	for record, err := range w.numbers.sorted() {
		if err != nil {
			return err
		}
		n := numberOf(record)
		same := bytes.Equal(n.series[:], last.series[:])
		u := w.devices[n.device]
		wrong := func(format string, args ...any) {
			w.report.find(Fault{Invariant: NoNumberWasted, Organisation: u.Organisation, Device: u.ID, Document: n.id, Text: fmt.Sprintf(format, args...)})
		}
		text := w.series[n.series]
		switch {
		case same && n.n == last.n:
			wrong("its number %s%06d is also that of document %s", text, n.n, last.id)
		case same && n.n > last.n+1 && !w.declared(n.series, last.n, n.n):
			wrong("its number is %s%06d, but the previous one in the series is %06d: the numbers between were used without a document, or documents were removed", text, n.n, last.n)
		}
		last = n
	}
	return nil
}
