package api_test

import (
	"net/http"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// appFuzzTargets returns the operations of the app's OpenAPI document.
func appFuzzTargets(h *servicetest.Instance, t testing.TB) []fuzzTarget {
	t.Helper()
	var all []fuzzTarget
	for _, p := range fuzzTargets(h, h.As("", http.MethodGet, servicetest.AppDocumentPath, "").Wants(t, http.StatusOK)) {
		p.base = "/app"
		all = append(all, p)
	}
	return all
}

// endsSession reports whether a request may have ended the session of its sender.
func endsSession(r *http.Request) bool {
	return r.URL.Path == servicetest.SessionPath && r.Method == http.MethodDelete ||
		r.URL.Path == servicetest.PersonPath+"password/" && r.Method == http.MethodPost
}

// No request to the app causes an internal error or an undocumented response,
// or changes the records of another organisation.
func TestFuzz_NoRequestBreaksTheApp(t *testing.T) {
	shots, seed := testtool.Scale(150, 1_000, 1_000), fuzzSeed(t)
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		near, all, d := populate(h, t), appFuzzTargets(h, t), newRandomSource(seed)
		other := h.Organisation("Other", "business")
		h.SellerOf(other).RecordsOf(h.NewKey(other, org.CreateInvoice))
		before := h.Snapshot(other)
		w := h.DraftAuthor()
		near.keys[0] = h.Session(org.Admin, h.Org)
		near.app = map[string][]string{}
		for range 4 {
			for param, id := range w.AppRecords() {
				near.app[param] = append(near.app[param], id)
			}
		}
		statuses := map[int]int{}
		for n := 0; n < shots && !t.Failed(); n++ {
			if n%20 == 0 {
				for _, param := range servicetest.Changed(h.Service.AppRows()...) {
					near.app[param][d.IntN(len(near.app[param]))] = w.AppRecord(param) // a draft may have been issued or deleted
				}
			}
			s := d.request(one(d, all), near)
			if d.in(4) {
				d.bend(&s, near)
			}
			r, a, sent := serveRequest(h, s)
			if !sent {
				continue
			}
			statuses[a.Status]++
			if err := checkAnswer(h, r, a); err != nil {
				t.Errorf("KHATM_SEED=%d, request %d: %v\n%s %s?%s\n%v\n%.3000q", seed, n, err, s.method, s.path, r.URL.RawQuery, s.header, s.body)
			}
			if endsSession(r) {
				near.keys[0] = h.Session(org.Admin, h.Org)
			}
		}
		for _, want := range []int{200, 201, 202, 400, 401, 403, 404, 405, 409} {
			if statuses[want] == 0 {
				t.Errorf("no response has status %d: %v", want, statuses)
			}
		}
		servicetest.Same(t, "records of the other organisation", h.Snapshot(other), before)
		t.Logf("statuses: %v; %d documents", statuses, h.CheckChains(h.Org))
	})
}
