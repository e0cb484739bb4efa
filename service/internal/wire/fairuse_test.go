package wire_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// month is a fair-use counter. If away is set, TakeWrite returns it.
type month struct {
	taken, back int
	away        error
}

func (m *month) TakeWrite(_ context.Context, _ org.Tenant, _ time.Time, ceiling int) (bool, error) {
	if m.away != nil || m.taken-m.back >= ceiling {
		return false, m.away
	}
	m.taken++
	return true, nil
}

func (m *month) GiveWriteBack(context.Context, org.Tenant, time.Time) error {
	m.back++
	return nil
}

// everybody accepts any key and always returns the same holder.
type everybody struct{}

func (everybody) Key(context.Context, string, time.Time, time.Time) (org.Holder, error) {
	return org.Holder{Actor: org.Actor{Kind: org.KeyActor, Name: "svc_ab12cd3_", Role: org.CreateInvoice}, Status: org.Active, Used: org.Usage{Plan: org.Plan{Writes: 1, API: true}}}, nil
}

func (everybody) Session(context.Context, string) (org.Visitor, error) {
	return org.Visitor{}, fault.New(fault.SessionExpired, "nobody")
}

func TestInterface_8_FairUseCountsWhatSucceeds(t *testing.T) {
	t.Parallel()
	fine := func() (*said, error) { return &said{Number: "1"}, nil }
	cases := []struct {
		name        string
		change      func(*wire.Route)
		verb        func() (*said, error)
		away        error
		want        int
		taken, back int
	}{
		{"successful write", nil, fine, nil, 200, 1, 0},
		{"refused write", nil, func() (*said, error) { return nil, fault.Missing("Tea") }, nil, 404, 1, 1},
		{"write with an internal error", nil, func() (*said, error) { return nil, errors.New(detail) }, nil, 500, 1, 1},
		{"write that panics", nil, func() (*said, error) { panic(detail) }, nil, 500, 1, 1},
		{"route marked as free", func(r *wire.Route) { r.Free = true }, fine, nil, 200, 0, 0},
		{"read", func(r *wire.Route) { r.Method = http.MethodGet }, fine, nil, 200, 0, 0},
		{"public tool", func(r *wire.Route) { r.Access = wire.Anyone }, fine, nil, 200, 0, 0},
		{"write without permission", func(r *wire.Route) { r.Access = wire.People }, fine, nil, 403, 0, 0},
		{"unavailable counter", nil, fine, fault.New(fault.DatabaseUnavailable, "away"), 503, 0, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			row := mishap("write", c.verb)
			row.Access = wire.Members
			if c.change != nil {
				c.change(&row)
			}
			f, kept := frame(row), &month{away: c.away}
			f.Identities, f.FairUse, f.Windows.Key = everybody{}, kept, 100
			r := httptest.NewRequest(row.Method, "/v1/write/", nil)
			r.Header.Set("Authorization", "Bearer svc_")
			w := httptest.NewRecorder()
			f.ServeHTTP(w, r)
			if w.Code != c.want || kept.taken != c.taken || kept.back != c.back {
				t.Errorf("status %d, body %s; %d writes taken, %d given back; want %d, %d and %d", w.Code, w.Body, kept.taken, kept.back, c.want, c.taken, c.back)
			}
		})
	}
}

// punctual checks whether a write is given back before the response.
type punctual struct {
	month
	answer *httptest.ResponseRecorder
	late   bool
}

func (k *punctual) GiveWriteBack(ctx context.Context, of org.Tenant, at time.Time) error {
	k.late = k.late || k.answer.Body.Len() > 0
	return k.month.GiveWriteBack(ctx, of, at)
}

// A client that learns of a failed write may retry at once, even at the limit.
func TestInterface_8_FairUseIsGivenBackBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	for name, verb := range map[string]func() (*said, error){
		"refused": func() (*said, error) { return nil, fault.Missing("Tea") },
		"broken":  func() (*said, error) { return &said{Number: detail}, nil },
		"panic":   func() (*said, error) { panic(detail) },
	} {
		row := mishap("write", verb)
		row.Access = wire.Members
		f, kept := frame(row), &punctual{answer: httptest.NewRecorder()}
		f.Identities, f.FairUse, f.Windows.Key = everybody{}, kept, 100
		r := httptest.NewRequest(row.Method, "/v1/write/", nil)
		r.Header.Set("Authorization", "Bearer svc_")
		f.ServeHTTP(kept.answer, r)
		if kept.back != 1 || kept.late {
			t.Errorf("%s: %d writes given back, after the response: %t; want 1 before the response", name, kept.back, kept.late)
		}
	}
}
