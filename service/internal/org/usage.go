package org

import "time"

// Usage is what an organisation has used of its plan in one month.
type Usage struct {
	Plan        Plan
	Month       time.Time // the first day, UTC
	Invoices    int       // counted this month
	Validations int       // of the public tools
}

// GraceUsed reports whether the allowance is exceeded and the grace is in use.
func (u Usage) GraceUsed() bool { return u.Plan.Invoices >= 0 && u.Invoices > u.Plan.Invoices }

// GraceExceeded reports whether the grace is used up too.
func (u Usage) GraceExceeded() bool {
	return u.Plan.Invoices >= 0 && u.Invoices >= u.Plan.InvoiceCeiling()
}

// InvoicesAllowed reports whether another invoice can be issued.
func (u Usage) InvoicesAllowed() bool { return !u.GraceExceeded() }

// UsageMonth returns the first day of the month of t in UTC.
func UsageMonth(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}
