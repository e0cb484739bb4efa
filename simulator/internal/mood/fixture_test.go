package mood

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// fixture is a real server with a mood, and a real client. Its handler responds
// like the authority and counts how often it runs.
type fixture struct {
	*Mood
	url    string
	client *http.Client
	ran    atomic.Int64
	body   func(Endpoint) string // body of the handler's answer
}

const (
	info     = `{"type":"INFO","code":"XSD_ZATCA_VALID","category":"XSD validation","message":"Complied <&>","status":"PASS"}`
	warnings = `{"code":"W1","n":12345678901234567890.10},{"code":"W2"},{"code":"W3"},{"code":"W4"},{"code":"W5"}`
	results  = `"validationResults":{"infoMessages":[` + info + `],"warningMessages":[` + warnings + `],"errorMessages":[],"status":"WARNING"}`
	document = `PEludm9pY2U+PC9JbnZvaWNlPg==`
)

// goodBody returns the answer to an accepted document with warnings, or to a
// certificate request.
func goodBody(e Endpoint) string {
	switch e {
	case Clearance:
		return `{` + results + `,"clearanceStatus":"CLEARED","clearedInvoice":"` + document + `"}`
	case Reporting, ComplianceCheck:
		return `{` + results + `,"reportingStatus":"REPORTED"}`
	}
	return `{"requestID":1234567890123,"dispositionMessage":"ISSUED","binarySecurityToken":"VE9LRU4=","secret":"c2VjcmV0"}`
}

func goodStatus(e Endpoint) int {
	if judged.has(e) {
		return http.StatusAccepted
	}
	return http.StatusOK
}

func (x *fixture) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x.ran.Add(1)
	_, _ = io.Copy(io.Discard, r.Body)
	e := EndpointOf(r)
	body := x.body(e)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(goodStatus(e))
	_, _ = io.WriteString(w, body)
}

// noWait is a Sleep that returns at once, or when ctx ends if d is an hour or
// more.
func noWait(ctx context.Context, d time.Duration) error {
	if d >= time.Hour {
		<-ctx.Done()
	}
	return ctx.Err()
}

func testNow() time.Time { return time.UnixMilli(1654514661409) }

func newFixture(t testing.TB, cfg Config) *fixture {
	t.Helper()
	cfg.Now = testNow
	if cfg.Sleep == nil {
		cfg.Sleep = noWait
	}
	m, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	x := &fixture{Mood: m, body: goodBody}
	server := httptest.NewServer(m.Wrap(x))
	t.Cleanup(server.Close)
	x.url, x.client = server.URL, server.Client()
	x.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return x
}

// reply is a response as the client sees it.
type reply struct {
	status int
	header http.Header
	body   string
	err    error // error of the call or of reading the body
}

func (x *fixture) ask(e Endpoint) reply { return x.askUntil(context.Background(), e) }

func (x *fixture) askUntil(ctx context.Context, e Endpoint) reply {
	req, err := request(ctx, x.url, e, 4_000)
	if err != nil {
		return reply{err: err}
	}
	res, err := x.client.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer func() { _ = res.Body.Close() }() // the body is only read
	var body bytes.Buffer
	_, err = body.ReadFrom(res.Body)
	return reply{res.StatusCode, res.Header, body.String(), err}
}

// request returns a request for an endpoint with a document of the given size.
func request(ctx context.Context, url string, e Endpoint, size int) (*http.Request, error) {
	for _, route := range routes {
		if route.endpoint == e {
			body := `{"invoice":"` + strings.Repeat("QUFB", size/4) + `"}`
			return http.NewRequestWithContext(ctx, route.method, url+"/e-invoicing/core"+route.path, strings.NewReader(body))
		}
	}
	return http.NewRequestWithContext(ctx, http.MethodPost, url+"/elsewhere", nil)
}

// endpoints returns all endpoints that the fault applies to.
func (k *knob) endpoints() []Endpoint {
	var all []Endpoint
	for _, e := range everyEndpoint {
		if k.scope.has(e) {
			all = append(all, e)
		}
	}
	return all
}

var everyEndpoint = []Endpoint{Clearance, Reporting, ComplianceCheck, Compliance, Production, Renewal, Other}

// only returns a plan that always applies one fault.
func only(name string, s Setting) Plan {
	s.Rate = Always
	return Plan{name: s}
}

func (r reply) String() string {
	return fmt.Sprintf("%d %v %.300q err=%v", r.status, r.header, r.body, r.err)
}
