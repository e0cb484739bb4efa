package org

import "time"

// Usage is what an organisation has used of its plan in a month.
type Usage struct {
	Plan        Plan
	Month       time.Time // the first day, UTC
	Invoices    int       // taken this month
	Validations int       // of the public tools
}

// GraceUsed says whether the allowance is spent and the grace has begun.
func (u Usage) GraceUsed() bool { return u.Plan.Invoices >= 0 && u.Invoices > u.Plan.Invoices }

// GraceExceeded says whether the grace is spent too.
func (u Usage) GraceExceeded() bool {
	return u.Plan.Invoices >= 0 && u.Invoices >= u.Plan.InvoiceCeiling()
}

// InvoicesAllowed says whether one more can be issued.
func (u Usage) InvoicesAllowed() bool { return !u.GraceExceeded() }

// UsageMonth is the month that an instant counts to: that of UTC.
func UsageMonth(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}
