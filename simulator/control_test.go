package simulator_test

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/simulator"
)

// TestControlRefuses checks the errors of the control API.
func TestControlRefuses(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", "/otps", `{`, 400, "decode the request body"},
		{"POST", "/otps", `{"vat":"3"}`, 400, "unknown field"},
		{"POST", "/otps", `{"vat_number":"3","environment":"simulation"}`, 400, "must have 15 digits"},
		{"POST", "/otps", `{"vat_number":"310175397400003","environment":"moon"}`, 400, "unknown environment"},
		{"PUT", "/mood", `{"name":"cheerful"}`, 400, "cheerful"},
		{"PUT", "/mood", `{"name":1}`, 400, "must be a string"},
		{"PUT", "/mood", `{"rudeness":1}`, 400, "rudeness"},
		{"PUT", "/mood", `{"timeout":10001}`, 400, "10001"},
		{"PUT", "/mood", strings.Repeat(" ", 1<<20), 400, "too large"},
		{"POST", "/mood/force", `{"knob":"rudeness","times":1}`, 400, "rudeness"},
		{"POST", "/mood/force", `{"knob":"timeout","times":-1}`, 400, "-1"},
		{"PUT", "/clock", `{}`, 400, "exactly one"},
		{"PUT", "/clock", `{"step":"1h","offset":"1h"}`, 400, "exactly one"},
		{"PUT", "/clock", `{"step":"soon"}`, 400, "soon"},
		{"PUT", "/settings", `{"clearance":"maybe"}`, 400, "on or off"},
		{"POST", "/revoke", `{"request_id":"1"}`, 404, "no issued certificate"},
		{"POST", "/revoke", `{}`, 404, "no issued certificate"},
		{"GET", "/issuers/moon", ``, 404, "unknown environment"},
		{"GET", "/otps", ``, 405, ""},
		{"GET", "/nothing", ``, 404, ""},
	} {
		status, text := h.callControl(c.method, c.path, c.body)
		if status != c.status || !strings.Contains(string(text), c.says) {
			t.Errorf("%s %s %.40s: status %d: %s; want %d with %q", c.method, c.path, c.body, status, text, c.status, c.says)
		}
	}
	request, err := http.NewRequest(http.MethodPost, h.control+"/reset", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Origin", "https://example.com")
	if r, err := do(request); err != nil || r.status != http.StatusForbidden {
		t.Errorf("request from a web page: status %d, want 403 (error: %v)", r.status, err)
	}
}

// TestControlIsForThisMachine checks that the control API refuses other host
// names, which protects against DNS rebinding even if a browser sends no
// Origin.
func TestControlIsForThisMachine(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	for host, status := range map[string]int{
		"localhost": 200, "LocalHost:9091": 200, "127.0.0.1": 200, "127.0.0.1:1": 200, "127.8.9.10:9091": 200, "[::1]": 200, "[::1]:9091": 200,
		"example.com": 403, "example.com:9091": 403, "localhost.example.com": 403, "127.0.0.1.example.com": 403,
		"192.168.1.2:9091": 403, "0.0.0.0:9091": 403, "[::]:9091": 403, "[2001:db8::1]": 403, "localhost:1:2": 403, ":9091": 403,
	} {
		request := httptest.NewRequest(http.MethodGet, "/counts", nil)
		request.Host = host
		answer := httptest.NewRecorder()
		h.simulator.Control().ServeHTTP(answer, request)
		if answer.Code != status {
			t.Errorf("Host %s: status %d, want %d: %s", host, answer.Code, status, answer.Body)
		}
	}
}

// TestControlOfTime checks moving, setting and freezing the clock.
func TestControlOfTime(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	for _, c := range []struct{ body, now string }{
		{`{"step":"25h"}`, "2027-02-02T10:00:00Z"},
		{`{"step":"-1h"}`, "2027-02-02T09:00:00Z"},
		{`{"offset":"1h"}`, "2027-02-01T10:00:00Z"},
		{`{"freeze":"2030-01-01T00:00:00Z"}`, "2030-01-01T00:00:00Z"},
		{`{"step":"1s"}`, "2030-01-01T00:00:01Z"},
		{`{"offset":"0s"}`, "2027-02-01T09:00:00Z"},
	} {
		var clock struct{ Now string }
		if err := json.Unmarshal(h.mustControl(http.MethodPut, "/clock", c.body), &clock); err != nil || clock.Now != c.now {
			t.Errorf("PUT /clock %s: time is %s, want %s (error: %v)", c.body, clock.Now, c.now, err)
		}
	}
}

// TestControlOfMemory checks the journal, the chain, the counts, the
// credentials and a revocation after one onboarding and three submissions.
func TestControlOfMemory(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	var made struct {
		OTP, Environment, Expires string
	}
	if err := json.Unmarshal(h.mustControl(http.MethodPost, "/otps", `{"vat_number":"310175397400003","environment":"core"}`), &made); err != nil {
		t.Fatal(err)
	}
	if len(made.OTP) != 6 || made.Environment != "production" || made.Expires != "2027-02-01T10:00:00Z" {
		t.Errorf("POST /otps returned %+v, want 6 digits for production that expire at 10:00", made)
	}
	d := h.onboard("simulation", "0100")
	first := d.seal(sample.Simplified(), d.pcsid)
	d.seal(sample.Simplified(), d.pcsid) // never sent, which leaves a gap
	third := d.seal(sample.Simplified(), d.pcsid)
	d.submit(third, true)
	d.submit(first, true)
	d.submit(first, true)

	lines := splitLines(h.mustControl(http.MethodGet, "/journal", ""))
	if len(lines) != 1+3+1+3 {
		t.Errorf("the journal has %d records, want 8", len(lines))
	}
	var last struct {
		Environment, Endpoint, Device, UUID, Counter, PreviousHash, Hash, Body, Outcome string
		Status                                                                          int
	}
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil {
		t.Fatal(err)
	}
	if last.Environment != "simulation" || last.Endpoint != "/invoices/reporting/single" || last.UUID != first.UUID || last.Counter != "1" ||
		last.PreviousHash != genesis || last.Hash != first.Hash || len(last.Body) != 64 || last.Outcome != "duplicate" || last.Status != 409 ||
		!strings.HasPrefix(last.Device, d.unit.VATNumber) {
		t.Errorf("last record of the journal = %+v, want the duplicate of document %s", last, first.UUID)
	}
	if chain := string(h.mustControl(http.MethodGet, "/chain", "")); !strings.Contains(chain, `"gaps": 1`) || !strings.Contains(chain, `"accepted": 2`) || !strings.Contains(chain, `"forks": 0`) {
		t.Errorf("GET /chain = %s, want 1 gap, 2 accepted documents and no forks", chain)
	}
	counts := strings.Join(strings.Fields(string(h.mustControl(http.MethodGet, "/counts", ""))), "")
	for _, want := range []string{
		`{"environment":"simulation","endpoint":"/invoices/reporting/single","status":200,"outcome":"new","requests":2}`,
		`{"environment":"simulation","endpoint":"/invoices/reporting/single","status":409,"outcome":"duplicate","requests":1}`,
		`{"environment":"simulation","endpoint":"/compliance/invoices","status":200,"requests":3}`,
	} {
		if !strings.Contains(counts, want) {
			t.Errorf("GET /counts returned %s\nwithout %s", counts, want)
		}
	}
	credentials := string(h.mustControl(http.MethodGet, "/credentials", ""))
	if strings.Count(credentials, `"request_id"`) != 2 || strings.Contains(credentials, d.pcsid.Secret) {
		t.Errorf("GET /credentials = %s, want 2 certificates without secrets", credentials)
	}
	block, rest := pem.Decode(h.mustControl(http.MethodGet, "/issuers/simulation", ""))
	if second, _ := pem.Decode(rest); block == nil || second == nil {
		t.Error("GET /issuers/simulation returned fewer than two certificates, want two")
	}
	h.mustControl(http.MethodPost, "/revoke", fmt.Sprintf(`{"vat_number":%q}`, d.unit.VATNumber))
	if got := d.report(d.pcsid); got != http.StatusUnauthorized {
		t.Errorf("report after revocation by VAT number: status %d, want 401", got)
	}
}
