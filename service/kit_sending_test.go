package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// office is the simulator behind a real port.
type office struct {
	t         testing.TB
	simulator *simulator.Simulator
	control   *httptest.Server
	url       string

	busy, busiest atomic.Int64 // calls under way, and the most there ever were
}

// counted counts the calls that are under way.
func (o *office) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer o.busy.Add(-1)
		for n := o.busy.Add(1); ; {
			most := o.busiest.Load()
			if n <= most || o.busiest.CompareAndSwap(most, n) {
				break
			}
		}
		next.ServeHTTP(w, r)
	})
}

func openOffice(t testing.TB, c simulator.Config) *office {
	t.Helper()
	authority, err := simulator.New(c)
	if err != nil {
		t.Fatal(err)
	}
	o := &office{t: t, simulator: authority, control: httptest.NewServer(authority.Control())}
	protocol := httptest.NewServer(o.counted(authority.Handler()))
	o.url = protocol.URL + "/e-invoicing/simulation"
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

// command gives the simulator an order.
func (o *office) command(method, path, body string) []byte {
	o.t.Helper()
	request, err := http.NewRequest(method, o.control.URL+path, strings.NewReader(body))
	if err != nil {
		o.t.Fatal(err)
	}
	response, err := o.control.Client().Do(request)
	if err != nil {
		o.t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	var text bytes.Buffer
	if _, err := text.ReadFrom(response.Body); err != nil || response.StatusCode/100 != 2 {
		o.t.Fatalf("%s %s: %d %s %v", path, body, response.StatusCode, text.String(), err)
	}
	return text.Bytes()
}

func (o *office) mood(plan string) { o.command(http.MethodPut, "/mood", plan) }

// force makes the next calls suffer a fault.
func (o *office) force(knob string, times int) {
	order, _ := json.Marshal(map[string]any{"knob": knob, "times": times})
	o.command(http.MethodPost, "/mood/force", string(order))
}

// entry is a line of the simulator's journal, as far as it matters here.
type entry struct {
	Endpoint string `json:"endpoint"`
	Device   string `json:"device"`
	UUID     string `json:"uuid"`
	Counter  string `json:"counter"`
	Body     string `json:"body"` // its digest
	Status   int    `json:"status"`
	Outcome  string `json:"outcome"`
	Mood     string `json:"mood"`
}

func (o *office) journal() (entries []entry) {
	o.t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(o.command(http.MethodGet, "/journal", "")))
	for decoder.More() {
		var e entry
		if err := decoder.Decode(&e); err != nil {
			o.t.Fatal(err)
		}
		if strings.Contains(e.Endpoint, "/single") {
			entries = append(entries, e)
		}
	}
	return entries
}

// acceptedOnce demands that the simulator accepted each document newly exactly
// once, and saw one body of each. It gives the sends in all.
func (o *office) acceptedOnce(ids []uuid.UUID) (sends int) {
	o.t.Helper()
	fresh, bodies := map[string]int{}, map[string]map[string]bool{}
	for _, e := range o.journal() {
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
			o.t.Errorf("%s was newly accepted %d times", id, n)
		}
		delete(bodies[id.String()], "") // calls that were not looked at
		if n := len(bodies[id.String()]); n != 1 {
			o.t.Errorf("%s was sent as %d different bodies", id, n)
		}
	}
	return sends
}

// quick is sending for those who have no time.
func quick(c *server.Config) {
	c.Sending.Timeout, c.Sending.LeaseMargin, c.Sending.Poll = 500*time.Millisecond, 500*time.Millisecond, 10*time.Millisecond
	c.Sending.RetryFirst, c.Sending.RetryMost = 20*time.Millisecond, time.Second
	c.Sending.ProbeFirst, c.Sending.ProbeMost, c.Sending.Silence = 50*time.Millisecond, time.Second, 20*time.Millisecond
	c.Sending.CopyFirst, c.Sending.CopyMost = 20*time.Millisecond, time.Second
}

// sending is a house that sends to a simulator.
type sending struct {
	*house
	office *office
}

// opens starts a service that sends to the simulator.
func (o *office) opens(t testing.TB, change func(*server.Config)) *sending {
	t.Helper()
	h := open(t, func(c *server.Config) {
		c.Now, c.AuthorityURL = time.Now, o.url
		quick(c)
		if change != nil {
			change(c)
		}
	})
	h.clock.Advance(-time.Until(storetest.Start))
	return &sending{h, o}
}

// eachSending runs a test with a simulator of its own on both engines.
func eachSending(t *testing.T, mood string, test func(t *testing.T, s *sending)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, openOffice(t, simulator.Config{Mood: mood, Seed: 1}).opens(t, nil))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		url := storetest.Postgres(t).URL
		test(t, openOffice(t, simulator.Config{Mood: mood, Seed: 1}).opens(t, func(c *server.Config) { c.Database = url }))
	})
}

// onboarded leads a new device of an organisation through the real onboarding.
func (s *sending) onboarded(o org.Organisation) device.Device {
	s.t.Helper()
	ctx, by := context.Background(), s.operator(o)
	client, err := authority.New(authority.Config{URL: s.office.url, Now: s.service.Now})
	if err != nil {
		s.t.Fatal(err)
	}
	defer client.Close()
	way := onboard.New(onboard.Config{
		Keeper: s.service.Store(), Vault: s.service.Vault(), Authority: client, Version: "1.0", Now: s.service.Now, NewID: s.service.NewID,
	})
	d, err := way.Create(ctx, by, onboard.NewDevice{Environment: device.Simulator, CommonName: "Till", InvoiceType: device.Both, Industry: "Retail"})
	if err != nil {
		s.t.Fatal(err)
	}
	otp, err := s.office.simulator.OneTimePassword("simulation", o.VATNumber)
	if err != nil {
		s.t.Fatal(err)
	}
	d, err = way.Onboard(ctx, by, onboard.Order{Device: d.ID, OTP: device.NewSecret(otp), Saw: func(device.Status) {}})
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

// shop is a till whose device is known to the simulator.
func (s *sending) shop() *till {
	s.t.Helper()
	shop := s.till()
	shop.device = s.onboarded(s.org)
	return shop
}

// status reads an invoice's.
func (t *till) status(id uuid.UUID) ledger.Status {
	t.t.Helper()
	i, err := t.service.Store().Invoice(context.Background(), org.TenantOf(t.org.ID), id)
	if err != nil {
		t.t.Fatal(err)
	}
	return i.Status
}

// becomes waits until something holds.
func becomes(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, patience)
		}
	}
}

// final waits for the authority's word on an invoice, and reads it.
func (t *till) final(id uuid.UUID) record {
	t.t.Helper()
	becomes(t.t, "a final status of "+id.String(), func() bool { return t.status(id).Final() })
	return t.read(t.t, "/api/invoices/"+id.String()+"/")
}

// engine is a database to be put into the settings.
type engine struct {
	name string
	set  func(t testing.TB, c *server.Config)
}

func engines() []engine {
	return []engine{
		{"SQLite", func(testing.TB, *server.Config) {}},
		{"PostgreSQL", func(t testing.TB, c *server.Config) { c.Database = storetest.Postgres(t).URL }},
	}
}

// at100 does something a hundred times at once.
func at100(do func() answer) []answer {
	answers := make([]answer, 100)
	var all sync.WaitGroup
	for n := range answers {
		all.Go(func() { answers[n] = do() })
	}
	all.Wait()
	return answers
}

// equal demands a value.
func equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// textIn is a text in an object of JSON; empty without one.
func textIn(object any, field string) string {
	of, _ := object.(record)
	text, _ := of[field].(string)
	return text
}
