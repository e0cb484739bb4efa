package audit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// month is a month of an organisation; use is counted by months of UTC.
type month struct {
	organisation uuid.UUID
	text         string // as 2026-02
}

const monthForm = "2006-01"

func monthOf(organisation uuid.UUID, at time.Time) month {
	return month{organisation, at.UTC().Format(monthForm)}
}

// judgeUsage holds what is booked against the documents that were counted.
func (w *walk) judgeUsage(ctx context.Context) error {
	for u, err := range w.source.Usage(ctx) {
		if err != nil {
			return fmt.Errorf("read the use of allowances: %w", err)
		}
		m := monthOf(u.Organisation, u.Month)
		issued := w.months[m]
		delete(w.months, m)
		wrong := func(format string, args ...any) {
			w.report.find(Fault{Invariant: UsageCounted, Organisation: u.Organisation, Text: fmt.Sprintf(format, args...)})
		}
		if u.Used != issued {
			wrong("in %s it has used %d of its allowance and issued %d documents", m.text, u.Used, issued)
		}
		if u.Ceiling >= 0 && u.Used > u.Ceiling {
			wrong("in %s it has used %d of its allowance, more than %d, which is all with the grace", m.text, u.Used, u.Ceiling)
		}
	}
	left := make([]month, 0, len(w.months))
	for m := range w.months {
		left = append(left, m)
	}
	slices.SortFunc(left, func(a, b month) int { return slices.Compare(a.organisation[:], b.organisation[:]) })
	for _, m := range left {
		w.report.find(Fault{Invariant: UsageCounted, Organisation: m.organisation,
			Text: fmt.Sprintf("in %s it has issued %d documents, and nothing is booked to its allowance", m.text, w.months[m])})
	}
	return nil
}
