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

// TestPoliteNeverMisbehaves sends many requests in the moods "polite"
// and "nod". It checks that each gets its regular response and that no fault is
// counted or recorded.
func TestPoliteNeverMisbehaves(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{Seed: 7})
	d := h.onboard("simulation", "1100")
	cheap, reports := testtool.Count(600, 9_500), testtool.Count(20, 250)
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
				t.Errorf("report: status %d, want 200", got)
			}
		}
		all.Wait()
	}
	manners(cheap, reports)
	h.mustControl(http.MethodPut, "/mood", `{"name":"nod"}`)
	manners(0, reports)

	var mood struct{ Struck map[string]int }
	if err := json.Unmarshal(h.mustControl(http.MethodGet, "/mood", ""), &mood); err != nil || len(mood.Struck) == 0 {
		t.Fatalf("GET /mood returned %+v, want a count for every fault (error: %v)", mood, err)
	}
	for knob, times := range mood.Struck {
		if times != 0 {
			t.Errorf("fault %s was applied %d times, want 0", knob, times)
		}
	}
	journal := h.mustControl(http.MethodGet, "/journal", "")
	if got := bytes.Count(journal, []byte("\n")); got < cheap+2*reports || bytes.Contains(journal, []byte(`"mood"`)) {
		t.Errorf("the journal has %d records, want at least %d and none with a fault", got, cheap+2*reports)
	}
}

// refused sends one of several requests that are cheap to refuse, and checks
// the response.
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
		t.Errorf("request %d, %s %s: status %d, want %d (error: %v): %s", n, c.method, c.path, r.status, c.status, err, r.body)
	}
}
