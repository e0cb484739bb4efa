package simulator_test

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/sample"
	"khatm/simulator"
)

type lines struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

// await returns the text when it matches the pattern, or after half a minute.
func (l *lines) await(pattern *regexp.Regexp) string {
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		text := l.String()
		l.mu.Unlock()
		if pattern.MatchString(text) || time.Now().After(end) {
			return text
		}
	}
}

// TestLog checks that each request is logged with its result and without
// secrets.
func TestLog(t *testing.T) {
	t.Parallel()
	var out lines
	h := open(t, simulator.Config{Log: &out})
	d := h.onboard("simulation", "0100")
	doc := d.seal(sample.Simplified(), d.pcsid)
	d.submit(doc, true)
	d.submit(doc, true)
	doc.UUID = "\n\x1b[31m"
	d.submit(doc, true)
	h.mustControl(http.MethodPost, "/mood/force", `{"knob":"drop_after","times":1}`)
	_, _ = d.send(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", doc)
	d.must(http.MethodPost, "/%0a", d.pcsid, "", doc)
	var text string
	for _, want := range []string{
		`(?m)^09:00:00  simulation POST  /compliance  200$`,
		`(?m)^09:00:00  simulation POST  /invoices/reporting/single  200  new  "INV-[0-9a-f]{8}"$`,
		`(?m)  409  duplicate  "INV-[0-9a-f]{8}"  Duplicate-Invoice$`,
		`(?m)  400  "INV-[0-9a-f]{8}"  INVOICE_UUID_VALIDATION$`,
		`(?m)  ---  .*\(drop_after\)$`,
		`(?m)"/e-invoicing/simulation/\\n"  404$`,
	} {
		pattern := regexp.MustCompile(want)
		text = out.await(pattern) // a request is logged after its response
		if !pattern.MatchString(text) {
			t.Errorf("no line matches %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, d.pcsid.Secret) || strings.Contains(text, "\x1b") {
		t.Errorf("the log contains a secret or an escape character, want neither:\n%s", text)
	}
}

// TestArabic checks that Accept-Language selects the language of the messages.
func TestArabic(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	for accept, arabic := range map[string]bool{"ar": true, "AR-sa,en": true, "en": false, "": false, "en,ar": false} {
		request, err := http.NewRequest(http.MethodPost, h.url+bases["simulation"]+"/invoices/reporting/single", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Version", "V2")
		request.Header.Set("Accept-Language", accept)
		request.SetBasicAuth(d.pcsid.Token, d.pcsid.Secret)
		r, err := do(request)
		if err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile(`\p{Arabic}`).Match(r.body); got != arabic {
			t.Errorf("Accept-Language %q: Arabic is %v, want %v: %s", accept, got, arabic, r.body)
		}
	}
}
