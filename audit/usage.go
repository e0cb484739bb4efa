package audit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// month is a month of an organisation. Usage is counted by months in UTC.
type month struct {
	organisation uuid.UUID
	text         string // such as 2026-02
}

const monthForm = "2006-01"

func monthOf(organisation uuid.UUID, at time.Time) month {
	return month{organisation, at.UTC().Format(monthForm)}
}

// judgeUsage compares the recorded usage with the number of documents.
func (w *walk) judgeUsage(ctx context.Context) error {
	for u, err := range w.source.Usage(ctx) {
		if err != nil {
			return fmt.Errorf("read the usage: %w", err)
		}
		m := monthOf(u.Organisation, u.Month)
		issued := w.months[m]
		delete(w.months, m)
		wrong := func(format string, args ...any) {
			w.report.find(Fault{Invariant: UsageCounted, Organisation: u.Organisation, Text: fmt.Sprintf(format, args...)})
		}
		if u.Used != issued {
			wrong("its usage in %s is %d, but it issued %d documents", m.text, u.Used, issued)
		}
		if u.Ceiling >= 0 && u.Used > u.Ceiling {
			wrong("its usage in %s is %d, more than the allowance with grace of %d", m.text, u.Used, u.Ceiling)
		}
	}
	left := make([]month, 0, len(w.months))
	for m := range w.months {
		left = append(left, m)
	}
	slices.SortFunc(left, func(a, b month) int { return slices.Compare(a.organisation[:], b.organisation[:]) })
	for _, m := range left {
		w.report.find(Fault{Invariant: UsageCounted, Organisation: m.organisation,
			Text: fmt.Sprintf("it issued %d documents in %s, but has no recorded usage", w.months[m], m.text)})
	}
	return nil
}
