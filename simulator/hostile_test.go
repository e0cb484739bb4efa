package simulator_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/sample"
	"khatm/simulator"
)

// zeros is an endless reader of the digit 0.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// raw sends a body to reporting with valid credentials.
func (d *device) raw(body io.Reader, length int64, encoding string) (reply, error) {
	request, err := http.NewRequest(http.MethodPost, d.fixture.url+bases[d.environment]+"/invoices/reporting/single", body)
	if err != nil {
		return reply{}, err
	}
	request.ContentLength = length
	request.Header.Set("Accept-Version", "V2")
	request.SetBasicAuth(d.pcsid.Token, d.pcsid.Secret)
	if encoding != "" {
		request.Header.Set("Content-Encoding", encoding)
	}
	return do(request)
}

// sealedBody returns a request body with a document and otherwise valid fields.
func sealedBody(document []byte) string {
	text, _ := json.Marshal(map[string]string{
		"invoiceHash": strings.Repeat("A", 43) + "=", "uuid": "1", "invoice": base64.StdEncoding.EncodeToString(document),
	})
	return string(text)
}

func TestHostileBodies(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	if _, err := io.CopyN(zip, zeros{}, 100<<20); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	laughs := `<!DOCTYPE l [<!ENTITY a "ha">` + entities() + `]><Invoice>&j;</Invoice>`
	deep := strings.Repeat("<a>", 100_000) + strings.Repeat("</a>", 100_000)
	wide := "<Invoice>" + strings.Repeat("<a/>", 1_000_000) + "</Invoice>"
	good := d.seal(sample.Simplified(), d.pcsid)
	for _, c := range []struct {
		name     string
		body     string
		encoding string
		status   int
		says     string
	}{
		{"empty", "", "", 400, "Invalid-Request"},
		{"null", "null", "", 400, "Invalid-Request"},
		{"list", "[]", "", 400, "Invalid-Request"},
		{"truncated object", `{"invoice":"`, "", 400, "Invalid-Request"},
		{"two objects", "{}{}", "", 400, "Invalid-Request"},
		{"nested", `{"x":` + strings.Repeat("[", 1_000_000), "", 400, "Invalid-Request"},
		{"invoice is a list", `{"invoice":[]}`, "", 400, "Invalid-Request"},
		{"nothing in it", "{}", "", 400, "XSD_ZATCA_INVALID"},
		{"names in another case", `{"INVOICE":"` + good.XML + `","UUID":"` + good.UUID + `","InvoiceHash":"` + good.Hash + `"}`, "", 400, "XSD_ZATCA_INVALID"},
		{"not base64", `{"invoice":"%%%"}`, "", 400, "XSD_ZATCA_INVALID"},
		{"base64 with line ends", `{"invoice":"` + good.XML[:76] + `\n` + good.XML[76:] + `"}`, "", 400, "XSD_ZATCA_INVALID"},
		{"base64 without padding", `{"invoice":"AAAAA"}`, "", 400, "XSD_ZATCA_INVALID"},
		{"not XML", sealedBody([]byte("hello")), "", 400, "XSD_ZATCA_INVALID"},
		{"zero bytes", sealedBody(make([]byte, 1000)), "", 400, "XSD_ZATCA_INVALID"},
		{"entities that multiply", sealedBody([]byte(laughs)), "", 400, "XSD_ZATCA_INVALID"},
		{"external entity", sealedBody([]byte(`<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><Invoice>&a;</Invoice>`)), "", 400, "XSD_ZATCA_INVALID"},
		{"deep", sealedBody([]byte(deep)), "", 400, "XSD_ZATCA_INVALID"},
		{"wide", sealedBody([]byte(wide)), "", 400, "XSD_ZATCA_INVALID"},
		{"compressed", bomb.String(), "gzip", 415, "Unsupported Media Type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := d.raw(strings.NewReader(c.body), int64(len(c.body)), c.encoding)
			if err != nil || r.status != c.status || !strings.Contains(string(r.body), c.says) {
				t.Errorf("error %v, got %d %.500s, want %d with %s", err, r.status, r.body, c.status, c.says)
			}
			if strings.Contains(string(r.body), "root:") {
				t.Error("the response contains lines of /etc/passwd, want none")
			}
		})
	}
	if r, _ := d.submit(good, true); r.status != http.StatusOK {
		t.Errorf("valid document afterwards: status %d, want 200: %s", r.status, r.body)
	}
}

// entities returns nine entities, each of which expands to ten of the one
// before: 10^9 expansions of a in all.
func entities() string {
	var b strings.Builder
	for c := 'b'; c <= 'j'; c++ {
		fmt.Fprintf(&b, `<!ENTITY %c "%s">`, c, strings.Repeat("&"+string(c-1)+";", 10))
	}
	return b.String()
}

// TestHugeBodies checks that bodies of 100 MiB, with and without a
// Content-Length, are refused without being kept in memory.
func TestHugeBodies(t *testing.T) {
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	peak := watchHeap(t)
	var all sync.WaitGroup
	for _, length := range []int64{100 << 20, -1, 100 << 20, -1} {
		all.Go(func() {
			r, err := d.raw(io.LimitReader(zeros{}, 100<<20), length, "")
			// The server stops reading, so the client may not receive the
			// answer.
			if err == nil && r.status != http.StatusRequestEntityTooLarge {
				t.Errorf("status %d, want 413: %s", r.status, r.body)
			}
			if err != nil && length > 0 && !isReset(err) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if grown := peak(); grown > 160<<20 {
		t.Errorf("four bodies of 100 MiB took %d MiB, want at most 160", grown>>20)
	} else {
		t.Logf("four bodies of 100 MiB took %d MiB", grown>>20)
	}
	if got := d.report(d.pcsid); got != http.StatusOK {
		t.Errorf("report afterwards: status %d, want 200", got)
	}
}

// isReset reports whether the server closed the connection while the client was
// sending.
func isReset(err error) bool {
	var op *net.OpError
	return errors.As(err, &op)
}

// watchHeap watches the heap until the returned function is called, which
// returns the maximum growth in bytes.
func watchHeap(t *testing.T) func() uint64 {
	t.Helper()
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&now)
				peak.Store(max(peak.Load(), now.HeapAlloc))
			}
		}
	}()
	return func() uint64 {
		close(stop)
		<-done
		return max(peak.Load(), before.HeapAlloc) - before.HeapAlloc
	}
}

// TestSlowBodies checks that a slow body is refused with 408, with and without
// faults, and that other requests are served during that time.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	for _, mood := range []string{"polite", `{"unknown_fields":"100%"}`} {
		h := open(t, simulator.Config{Patience: 300 * time.Millisecond, Mood: mood})
		d := h.onboard("simulation", "1100")
		at, err := url.Parse(h.url)
		if err != nil {
			t.Fatal(err)
		}
		connection, err := net.Dial("tcp", at.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = connection.Close() }()
		request, _ := http.NewRequest(http.MethodPost, h.url, nil)
		request.SetBasicAuth(d.pcsid.Token, d.pcsid.Secret)
		fmt.Fprintf(connection, "POST %s/invoices/reporting/single HTTP/1.1\r\nHost: x\r\nAccept-Version: V2\r\nAuthorization: %s\r\nContent-Length: 1000\r\n\r\n{",
			bases["simulation"], request.Header.Get("Authorization"))
		if got := d.report(d.pcsid); got != http.StatusOK {
			t.Errorf("report during a slow request: status %d, want 200", got)
		}
		_ = connection.SetReadDeadline(time.Now().Add(20 * time.Second))
		r, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil || r.StatusCode != http.StatusRequestTimeout {
			t.Errorf("slow body in mood %s: response %v, error %v; want 408", mood, r, err)
			continue
		}
		_ = r.Body.Close()
	}
}
