package simulator_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"khatm/internal/testtool"
	"khatm/simulator"
)

// TestPoliteNeverMisbehaves over 10,000 requests: each gets the answer that is
// its due, and no fault is counted or in the journal. Nod has the same manners.
func TestPoliteNeverMisbehaves(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{Seed: 7})
	d := h.onboard("simulation", "1100")
	cheap, reports := testtool.Count(2_000, 9_500), testtool.Count(50, 250)
	manners := func(cheap, reports int) {
		t.Helper()
		const senders = 4
		var all sync.WaitGroup
		for sender := range senders {
			all.Go(func() {
				for n := sender; n < cheap; n += senders {
					d.refused(t, n)
				}
			})
		}
		for range reports {
			if got := d.report(d.pcsid); got != http.StatusOK {
				t.Errorf("a report: %d", got)
			}
		}
		all.Wait()
	}
	manners(cheap, reports)
	h.order(http.MethodPut, "/mood", `{"name":"nod"}`)
	manners(0, reports)

	var mood struct{ Struck map[string]int }
	if err := json.Unmarshal(h.order(http.MethodGet, "/mood", ""), &mood); err != nil || len(mood.Struck) == 0 {
		t.Fatalf("%v %+v", err, mood)
	}
	for knob, times := range mood.Struck {
		if times != 0 {
			t.Errorf("%s struck %d times", knob, times)
		}
	}
	journal := h.order(http.MethodGet, "/journal", "")
	if got := bytes.Count(journal, []byte("\n")); got < cheap+2*reports || bytes.Contains(journal, []byte(`"mood"`)) {
		t.Errorf("%d records, or a fault in one of them", got)
	}
}

// refused sends one of the requests that are refused at little cost.
func (d *device) refused(t *testing.T, n int) {
	good := d.pcsid
	cases := []struct {
		method, path, version string
		as                    csid
		body                  string
		status                int
		says                  string
	}{
		{"POST", "/invoices/reporting/single", "V1", good, "{}", 406, "This Version"},
		{"POST", "/invoices/clearance/single", "V2", csid{}, "{}", 401, "Unauthorized"},
		{"POST", "/compliance/invoices", "V2", good, "{}", 401, "Unauthorized"},
		{"POST", "/invoices", "V2", good, "{}", 404, "Not Found"},
		{"GET", "/invoices/reporting/single", "V2", good, "", 405, "Method Not Allowed"},
		{"POST", "/invoices/reporting/single", "V2", good, "[", 400, "Invalid-Request"},
		{"POST", "/compliance", "V2", csid{}, "{}", 400, "Missing-OTP"},
		{"PATCH", "/production/csids", "V2", good, "{}", 400, "Missing-OTP"},
	}
	c := cases[n%len(cases)]
	request, err := http.NewRequest(c.method, d.fixture.url+bases[d.environment]+c.path, strings.NewReader(c.body))
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Accept-Version", c.version)
	if c.as.Token != "" {
		request.SetBasicAuth(c.as.Token, c.as.Secret)
	}
	if r, err := do(request); err != nil || r.status != c.status || !strings.Contains(string(r.body), c.says) {
		t.Errorf("request %d, %s %s: %v %d %s", n, c.method, c.path, err, r.status, r.body)
	}
}
