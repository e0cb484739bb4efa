package service_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/org"
)

// appPreys are the operations of the app's document.
func (h *house) appPreys(t testing.TB) []prey {
	t.Helper()
	var all []prey
	for _, p := range h.preys(h.as("", http.MethodGet, appDocument, "").wants(t, http.StatusOK)) {
		p.base = "/app"
		all = append(all, p)
	}
	return all
}

// Whatever is sent to the app, nothing breaks, every answer is one that the
// document promises, and nobody else's drafts are touched.
func TestFuzz_NoRequestBreaksTheApp(t *testing.T) {
	seed := setting(t, "KHATM_SEED", uint64(time.Now().UnixNano()))
	t.Logf("KHATM_SEED=%d", seed)
	each(t, func(t *testing.T, h *house) {
		near, all, d := h.settle(t), h.appPreys(t), newDice(seed)
		other := h.organisation("Other", "business")
		h.tillOf(other).stockOf(h.newKey(other, org.CreateInvoice))
		before := h.snapshot(other)
		w := h.writer()
		near.keys[0] = h.session(org.Admin, h.org)
		near.letters = []string{w.stockOf(h.key).letter}
		for range 4 {
			near.drafts = append(near.drafts, w.draftedBy(w.session))
		}
		statuses := map[int]int{}
		for n := 0; n < 1_000 && !t.Failed(); n++ {
			if n%20 == 0 {
				near.drafts[d.IntN(len(near.drafts))] = w.draftedBy(w.session) // others were issued or removed
			}
			s := d.aim(one(d, all), near)
			if d.in(4) {
				d.bend(&s, near)
			}
			r, a, sent := h.fire(s)
			if !sent {
				continue
			}
			statuses[a.status]++
			err := held(h.service.Rows(), r, a)
			if a.status >= 500 {
				err = fmt.Errorf("it broke: %s", a.body)
			}
			if err != nil {
				t.Errorf("KHATM_SEED=%d, request %d: %v\n%s %s?%s\n%v\n%.3000q", seed, n, err, s.method, s.path, r.URL.RawQuery, s.header, s.body)
			}
			if strings.HasPrefix(r.URL.Path, sessionPath) && r.Method == http.MethodDelete {
				near.keys[0] = h.session(org.Admin, h.org) // it may have been signed out
			}
		}
		for _, want := range []int{200, 201, 202, 400, 401, 403, 404, 405, 409} {
			if statuses[want] == 0 {
				t.Errorf("no request was answered with %d: %v", want, statuses)
			}
		}
		same(t, "another's records", h.snapshot(other), before)
		t.Logf("statuses: %v; %d documents", statuses, h.provesChains(h.org))
	})
}
