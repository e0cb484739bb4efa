package servicetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// Authority is a simulator with a real listener.
type Authority struct {
	TB        testing.TB
	simulator *simulator.Simulator
	control   *httptest.Server
	URL       string

	busy, Busiest atomic.Int64 // calls in progress, and their maximum
	held          atomic.Pointer[chan struct{}]
}

// counted counts the calls in progress.
func (o *Authority) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer o.busy.Add(-1)
		for n := o.busy.Add(1); ; {
			most := o.Busiest.Load()
			if n <= most || o.Busiest.CompareAndSwap(most, n) {
				break
			}
		}
		if held := o.held.Load(); held != nil {
			<-*held
		}
		next.ServeHTTP(w, r)
	})
}

// Hold makes all calls wait until release is called.
func (o *Authority) Hold() (release func()) {
	held := make(chan struct{})
	o.held.Store(&held)
	release = sync.OnceFunc(func() {
		o.held.Store(nil)
		close(held)
	})
	o.TB.Cleanup(release)
	return release
}

// OpenAuthority starts a simulator with a real listener.
func OpenAuthority(t testing.TB, c simulator.Config) *Authority {
	t.Helper()
	authority, err := simulator.New(c)
	if err != nil {
		t.Fatal(err)
	}
	o := &Authority{TB: t, simulator: authority, control: httptest.NewServer(authority.Control())}
	protocol := httptest.NewServer(o.counted(authority.Handler()))
	o.URL = protocol.URL + "/e-invoicing/simulation"
	t.Cleanup(func() {
		protocol.CloseClientConnections()
		protocol.Close()
		o.control.Close()
		if err := authority.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

// Command sends a command to the simulator's control interface.
func (o *Authority) Command(method, path, body string) []byte {
	o.TB.Helper()
	request, err := http.NewRequest(method, o.control.URL+path, strings.NewReader(body))
	if err != nil {
		o.TB.Fatal(err)
	}
	response, err := o.control.Client().Do(request)
	if err != nil {
		o.TB.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // read only
	var text bytes.Buffer
	if _, err := text.ReadFrom(response.Body); err != nil || response.StatusCode/100 != 2 {
		o.TB.Fatalf("%s %s: got %d %s, %v; want 2xx", path, body, response.StatusCode, text.String(), err)
	}
	return text.Bytes()
}

// Mood sets the fault plan of the simulator.
func (o *Authority) Mood(plan string) { o.Command(http.MethodPut, "/mood", plan) }

// Reject forces the rejection of the next document with the ids of rules.
func (o *Authority) Reject(codes ...string) {
	o.TB.Helper()
	o.Command(http.MethodPost, "/rejections", fmt.Sprintf(`{"codes":["%s"]}`, strings.Join(codes, `","`)))
}

// Force injects a fault into the next calls.
func (o *Authority) Force(knob string, times int) {
	order, _ := json.Marshal(map[string]any{"knob": knob, "times": times})
	o.Command(http.MethodPost, "/mood/force", string(order))
}

// Entry is an entry of the simulator's journal, with the fields that tests use.
type Entry struct {
	Endpoint string `json:"endpoint"`
	Device   string `json:"device"`
	UUID     string `json:"uuid"`
	Counter  string `json:"counter"`
	Body     string `json:"body"` // digest of the body
	Status   int    `json:"status"`
	Outcome  string `json:"outcome"`
	Mood     string `json:"mood"`
}

// Journal returns the entries of all documents sent to the simulator.
func (o *Authority) Journal() (entries []Entry) {
	o.TB.Helper()
	decoder := json.NewDecoder(bytes.NewReader(o.Command(http.MethodGet, "/journal", "")))
	for decoder.More() {
		var e Entry
		if err := decoder.Decode(&e); err != nil {
			o.TB.Fatal(err)
		}
		if strings.Contains(e.Endpoint, "/single") {
			entries = append(entries, e)
		}
	}
	return entries
}

// AcceptedOnce checks that the simulator accepted each document exactly once as
// new, and always received the same body. It returns the total number of sends.
func (o *Authority) AcceptedOnce(ids []uuid.UUID) (sends int) {
	o.TB.Helper()
	fresh, bodies := map[string]int{}, map[string]map[string]bool{}
	for _, e := range o.Journal() {
		if e.Outcome == "new" {
			fresh[e.UUID]++
		}
		if bodies[e.UUID] == nil {
			bodies[e.UUID] = map[string]bool{}
		}
		bodies[e.UUID][e.Body] = true
		sends++
	}
	for _, id := range ids {
		if n := fresh[id.String()]; n != 1 {
			o.TB.Errorf("%s was accepted as new %d times, want 1", id, n)
		}
		delete(bodies[id.String()], "") // calls whose body was not read
		if n := len(bodies[id.String()]); n != 1 {
			o.TB.Errorf("%s was sent with %d different bodies, want 1", id, n)
		}
	}
	return sends
}

// FastSending sets short intervals for sending.
func FastSending(c *server.Config) {
	c.Sending.Timeout, c.Sending.LeaseMargin, c.Sending.Poll = 500*time.Millisecond, 500*time.Millisecond, 100*time.Millisecond
	c.Sending.RetryFirst, c.Sending.RetryMost = 20*time.Millisecond, time.Second
	c.Sending.ProbeFirst, c.Sending.ProbeMost, c.Sending.Silence = 50*time.Millisecond, time.Second, 20*time.Millisecond
	c.Sending.CopyFirst, c.Sending.CopyMost = 20*time.Millisecond, time.Second
}

// Sending is an instance that sends to a simulator.
type Sending struct {
	*Instance
	Authority *Authority
}

// Open starts a service that sends to the simulator.
func (o *Authority) Open(t testing.TB, change func(*server.Config)) *Sending {
	t.Helper()
	h := Open(t, func(c *server.Config) {
		c.Now, c.AuthorityURL = time.Now, o.URL
		FastSending(c)
		if change != nil {
			change(c)
		}
	})
	h.Clock.Advance(-time.Until(storetest.Start))
	return &Sending{h, o}
}

// EachEngineSending runs a test on both database engines, each with its own
// simulator.
func EachEngineSending(t *testing.T, mood string, test func(t *testing.T, s *Sending)) {
	t.Helper()
	sendOn(t, Engines(), mood, func(*server.Config) {}, test)
}

// Onboarded creates a device and onboards it with the simulator.
func (s *Sending) Onboarded(o org.Organisation) device.Device {
	s.TB.Helper()
	ctx, by := context.Background(), s.Operator(o)
	client, err := authority.New(authority.Config{URL: s.Authority.URL, Now: s.Service.Now})
	if err != nil {
		s.TB.Fatal(err)
	}
	defer client.Close()
	way := onboard.New(onboard.Config{
		Keeper: s.Service.Store(), Vault: s.Service.Vault(), Authority: client, Version: "1.0", Now: s.Service.Now, NewID: s.Service.NewID,
	})
	d, err := way.Create(ctx, by, onboard.NewDevice{Environment: device.Simulator, CommonName: "Till", InvoiceType: device.Both, Industry: "Retail"})
	if err != nil {
		s.TB.Fatal(err)
	}
	d, err = way.Onboard(ctx, by, onboard.Order{Device: d.ID, OTP: device.NewSecret(s.Authority.Password(o)), Saw: func(device.Status) {}})
	if err != nil {
		s.TB.Fatal(err)
	}
	return d
}

// Password returns a one-time password for an organisation.
func (o *Authority) Password(of org.Organisation) string {
	o.TB.Helper()
	otp, err := o.simulator.OneTimePassword("simulation", of.VATNumber)
	if err != nil {
		o.TB.Fatal(err)
	}
	return otp
}

// OnboardedSeller returns a seller whose device is onboarded with the simulator.
func (s *Sending) OnboardedSeller() *Seller {
	s.TB.Helper()
	shop := s.NewSeller()
	shop.Device = s.Onboarded(s.Org)
	return shop
}

// Status returns the status of an invoice.
func (t *Seller) Status(id uuid.UUID) ledger.Status {
	t.TB.Helper()
	i, err := t.Service.Store().Invoice(context.Background(), org.TenantOf(t.Org.ID), id)
	if err != nil {
		t.TB.Fatal(err)
	}
	return i.Status
}

// Eventually waits until holds returns true, for at most Patience.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	end := time.Now().Add(Patience)
	for pause := time.Millisecond; !holds(); pause = min(2*pause, 20*time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: did not happen within %s", what, Patience)
		}
		time.Sleep(pause)
	}
}

// Final waits for the final status of an invoice and returns the invoice.
func (t *Seller) Final(id uuid.UUID) Record {
	t.TB.Helper()
	Eventually(t.TB, "a final status of "+id.String(), func() bool { return t.Status(id).Final() })
	return t.Read(t.TB, "/api/invoices/"+id.String()+"/")
}

// HundredAtOnce calls do a hundred times concurrently and returns the
// responses.
func HundredAtOnce(do func() Answer) []Answer {
	answers := make([]Answer, 100)
	var all sync.WaitGroup
	for n := range answers {
		all.Go(func() { answers[n] = do() })
	}
	all.Wait()
	return answers
}

// Equal fails with a diff if got differs from want.
func Equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(fault.Error{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TextIn returns a string field of a JSON object, or "".
func TextIn(object any, field string) string {
	of, _ := object.(Record)
	text, _ := of[field].(string)
	return text
}

// Attempts returns the attempts to send an invoice.
func (t *Seller) Attempts(id uuid.UUID) []ledger.Attempt {
	t.TB.Helper()
	all, err := t.Service.Store().Attempts(context.Background(), org.TenantOf(t.Org.ID), id)
	if err != nil {
		t.TB.Fatal(err)
	}
	return all
}

// Resend requests another attempt to send an invoice.
func (t *Seller) Resend(id uuid.UUID) Answer {
	t.TB.Helper()
	return t.Call(http.MethodPatch, "/v1/api/invoices/"+id.String()+"/clearance-reporting/", "")
}

// WithoutCopy is the answer to a duplicate without the stamped document.
const WithoutCopy = `{"validationResults":{"status":"WARNING"},"clearanceStatus":"CLEARED"}`

// LosingCopies removes the stamped document from every answer to clearance
// while lost is set. Otherwise it replaces the answer with the result of
// instead, if that is not nil.
func (o *Authority) LosingCopies(lost *atomic.Bool, instead func() []byte) {
	o.Forged(func(a []byte) (int, []byte) {
		switch {
		case lost.Load():
			return http.StatusAlreadyReported, []byte(WithoutCopy)
		case instead != nil:
			return http.StatusAlreadyReported, instead()
		}
		return http.StatusAlreadyReported, a
	})
}

// Unstamped returns the number of cleared documents without a stamped copy.
func (s *Sending) Unstamped() int {
	s.TB.Helper()
	found, err := s.Service.Store().Unstamped(context.Background(), 1000)
	if err != nil {
		s.TB.Fatal(err)
	}
	return len(found)
}

// Forged puts a proxy in front of the simulator that changes the answers to
// clearance.
func (o *Authority) Forged(change func(answer []byte) (status int, forged []byte)) {
	o.TB.Helper()
	at, err := url.Parse(o.URL)
	if err != nil {
		o.TB.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: at.Scheme, Host: at.Host})
	proxy.ModifyResponse = func(r *http.Response) error {
		if !strings.HasSuffix(r.Request.URL.Path, "/clearance/single") {
			return nil
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		r.StatusCode, body = change(body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Del("Content-Length")
		return nil
	}
	server := httptest.NewServer(proxy)
	o.TB.Cleanup(server.Close)
	o.URL = server.URL + at.Path
}

// Many creates n documents, two thirds of them simplified.
func (t *Seller) Many(n int) (ids []uuid.UUID) {
	t.TB.Helper()
	for i := range n {
		body := t.Simplified(Fields{"notes": Note(fmt.Sprint("document ", i))})
		if i%3 == 0 {
			body = t.Standard(Fields{"notes": Note(fmt.Sprint("document ", i))})
		}
		ids = append(ids, t.Created(body))
	}
	return ids
}

// AskUntilFinal waits until all invoices are accepted, and requests another
// attempt for those reported as too large.
func (t *Seller) AskUntilFinal(ids []uuid.UUID, within time.Duration) {
	t.TB.Helper()
	end := time.Now().Add(within)
	for _, id := range ids {
		for ; !t.Status(id).Final(); time.Sleep(20 * time.Millisecond) {
			if tries := t.Attempts(id); len(tries) > 0 && tries[len(tries)-1].Outcome == ledger.TooLarge {
				t.Resend(id)
			}
			if time.Now().After(end) {
				t.TB.Fatalf("invoice %s is still %q after %s; attempts: %+v", id, t.Status(id), within, t.Attempts(id))
			}
		}
		if status := t.Status(id); !status.Accepted() {
			t.TB.Errorf("invoice %s is %s, want accepted; attempts: %+v", id, status, t.Attempts(id))
		}
	}
}

// Warned reports whether the log warns of documents that have waited for the
// given number of hours.
func (h *Instance) Warned(hours int) bool {
	return strings.Contains(h.Log.String(), `"waited_hours":`+strconv.Itoa(hours)+`,`)
}

// WantsFinal waits for the final status of an invoice and compares it with
// status.
func (t *Seller) WantsFinal(id uuid.UUID, status string) {
	t.TB.Helper()
	if got := t.Final(id); got["authority_response_status"] != status {
		t.TB.Errorf("status of invoice %s = %v, want %s; answer: %s", id, got["authority_response_status"], status, AsJSON(t.TB, got["authority_response_data"]))
	}
}
