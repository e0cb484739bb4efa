package wire

import (
	"context"
	"net/http"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/limit"
	"khatm/service/internal/org"
)

// fairUse counts a write against the organisation's monthly allowance before it
// runs. settle must be called with whether the write succeeded; a failed write is
// given back, so that only successful writes count and concurrent writes cannot
// exceed the limit.
func (f *Frame) fairUse(r *http.Request, row *Route, of org.Tenant, plan org.Plan) (settle func(done bool), err error) {
	settle = func(bool) {}
	ceiling := plan.WriteCeiling()
	if f.FairUse == nil || row.Free || row.Access == Anyone || row.Access == Public || row.Access == Visitors || !writes(r.Method) || ceiling == org.Unlimited {
		return settle, nil
	}
	month := fairUseMonth(f.Now())
	taken, err := f.FairUse.TakeWrite(r.Context(), of, month, ceiling)
	if err != nil {
		return settle, err
	}
	if !taken {
		return settle, fault.Detail(fault.FairUseLimit, "Your organisation has used its fair-use allowance of writes for this month. Reads still work. To write again, wait until next month or choose a larger plan.").
			With("limit", plan.Writes)
	}
	return func(done bool) {
		if done {
			return
		}
		ctx := context.WithoutCancel(r.Context())
		if err := f.FairUse.GiveWriteBack(ctx, of, month); err != nil {
			f.Log.ErrorContext(ctx, "cannot remove a failed write from the fair-use count", "organisation", of.ID(), "cause", err)
		}
	}, nil
}

func writes(method string) bool {
	switch method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	return false
}

// fairUseMonth returns the first day of the calendar month of at in Riyadh.
func fairUseMonth(at time.Time) time.Time {
	start, _ := limit.Month.Bounds(at)
	return time.Date(start.Year(), start.Month(), 1, 0, 0, 0, 0, time.UTC)
}
