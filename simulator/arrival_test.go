package simulator_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"khatm/sample"
	"khatm/simulator"
)

// begin sends the header of a request and, once the simulator has answered 100
// Continue, the beginning of its body.
func (d *device) begin(path string, as csid, more, body string) net.Conn {
	d.fixture.t.Helper()
	at, err := url.Parse(d.fixture.url)
	if err != nil {
		d.fixture.t.Fatal(err)
	}
	connection, err := net.Dial("tcp", at.Host)
	if err != nil {
		d.fixture.t.Fatal(err)
	}
	d.fixture.t.Cleanup(func() { _ = connection.Close() })
	head, _ := http.NewRequest(http.MethodPost, d.fixture.url, nil)
	head.SetBasicAuth(as.Token, as.Secret)
	_, err = fmt.Fprintf(connection, "POST %s%s HTTP/1.1\r\nHost: x\r\nAccept-Version: V2\r\nAuthorization: %s\r\nExpect: 100-continue\r\n%s\r\n\r\n",
		bases[d.environment], path, head.Header.Get("Authorization"), more)
	if err != nil {
		d.fixture.t.Fatal(err)
	}
	if status, text := finish(d.fixture.t, connection, ""); status != http.StatusContinue {
		d.fixture.t.Fatalf("got %d %s, want 100 Continue", status, text)
	}
	if _, err := io.WriteString(connection, body); err != nil {
		d.fixture.t.Fatal(err)
	}
	return connection
}

// finish sends the rest of a body and reads the answer.
func finish(t testing.TB, connection net.Conn, rest string) (status int, body string) {
	t.Helper()
	if _, err := io.WriteString(connection, rest); err != nil {
		t.Fatal(err)
	}
	_ = connection.SetReadDeadline(time.Now().Add(20 * time.Second))
	r, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// TestAnnouncedBodies checks that memory grows with the bytes received, not
// with the announced Content-Length.
func TestAnnouncedBodies(t *testing.T) {
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	peak := watchHeap(t)
	const idle = 500
	for range idle {
		d.begin("/invoices/reporting/single", d.pcsid, fmt.Sprintf("Content-Length: %d", 1<<20), "{")
	}
	if got := d.report(d.pcsid); got != http.StatusOK {
		t.Errorf("report during slow requests: status %d, want 200", got)
	}
	grown := peak()
	t.Logf("%d announced bodies of 1 MiB took %d MiB", idle, grown>>20)
	if grown > 64<<20 {
		t.Errorf("%d announced bodies of 1 MiB took %d MiB, want at most 64", idle, grown>>20)
	}
}

// TestSlowChunkedBodies checks that slow chunked bodies do not block other
// chunked bodies.
func TestSlowChunkedBodies(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	for range 4 {
		d.begin("/invoices/reporting/single", d.pcsid, "Transfer-Encoding: chunked", "1\r\n{\r\n")
	}
	text, err := json.Marshal(d.seal(sample.Simplified(), d.pcsid))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	r, err := d.raw(strings.NewReader(string(text)), -1, "")
	if err != nil || r.status != http.StatusOK {
		t.Errorf("error %v, status %d, want 200: %s", err, r.status, r.body)
	}
	took := time.Since(began)
	t.Logf("answered after %v", took)
	if took > 10*time.Second { // the slow bodies have 30 seconds
		t.Errorf("request took %v while slow requests were running, want at most 10s", took)
	}
}

// TestLargeChunkedBodies checks that large bodies wait for a slot and that the
// wait does not count towards their read deadline.
func TestLargeChunkedBodies(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{Patience: 500 * time.Millisecond})
	d := h.onboard("simulation", "0100")
	const read = 1<<20 + 1<<19
	chunk := fmt.Sprintf("%x\r\n%s\r\n", read, strings.Repeat(" ", read))
	var slow []net.Conn
	for range 6 { // more than there are slots
		slow = append(slow, d.begin("/invoices/reporting/single", d.pcsid, "Transfer-Encoding: chunked", chunk))
	}
	if got := d.report(d.pcsid); got != http.StatusOK {
		t.Errorf("small report during large requests: status %d, want 200", got)
	}
	for _, connection := range slow {
		if status, body := finish(t, connection, ""); status != http.StatusRequestTimeout && status != http.StatusServiceUnavailable {
			t.Errorf("large slow body: status %d, want 408 or 503: %s", status, body)
		}
	}
	long := strings.Repeat(" ", read) + "{}"
	if r, err := d.raw(strings.NewReader(long), -1, ""); err != nil || r.status != http.StatusBadRequest || !strings.Contains(string(r.body), "XSD_ZATCA_INVALID") {
		t.Errorf("large body afterwards: error %v, got %d %.300s, want 400 XSD_ZATCA_INVALID", err, r.status, r.body)
	}
}

// TestCredentialLostMeanwhile checks that a request is refused if its
// credential is revoked or reset between its header and the end of its body.
func TestCredentialLostMeanwhile(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*fixture, csid){
		"revoked": func(h *fixture, as csid) {
			h.mustControl(http.MethodPost, "/revoke", `{"request_id":"`+as.RequestID.String()+`"}`)
		},
		"reset": func(h *fixture, _ csid) { h.mustControl(http.MethodPost, "/reset", "") },
	} {
		for _, path := range []string{"/compliance/invoices", "/invoices/clearance/single", "/invoices/reporting/single"} {
			t.Run(name+path, func(t *testing.T) {
				t.Parallel()
				h := open(t, simulator.Config{})
				d := h.onboard("simulation", "1100")
				facts, as := sample.Simplified(), d.pcsid
				switch path {
				case "/compliance/invoices":
					as = d.ccsid
				case "/invoices/clearance/single":
					facts = sample.Invoice()
				}
				raw, err := json.Marshal(d.seal(facts, as))
				if err != nil {
					t.Fatal(err)
				}
				text := string(raw)
				connection := d.begin(path, as, fmt.Sprintf("Content-Length: %d", len(text)), text[:100])
				lose(h, as)
				if status, body := finish(t, connection, text[100:]); status != http.StatusUnauthorized {
					t.Errorf("status %d, want 401: %s", status, body)
				}
				if journal := string(h.mustControl(http.MethodGet, "/journal", "")); strings.Contains(journal, `"new"`) {
					t.Error("the journal has an accepted document, want none")
				}
			})
		}
	}
}
