package service_test

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// killRun is an organisation whose servers are killed while clients create
// invoices and the authority injects faults. The responses to clients and the
// requests to the authority are recorded and finally compared with the
// database.
type killRun struct {
	t              *testing.T
	sim            *servicetest.Authority
	data, database string
	archive        string // location; empty without an archive
	key            string
	shop           *servicetest.Seller
	devices        []uuid.UUID

	seen    string // journal of the authority
	clients *os.File
	journal *audit.ClientJournal
	made    atomic.Int64
	told    atomic.Int64
	slow    atomic.Bool // creators wait between invoices
	lapsed  int         // expired leases
	copies  int         // requests for stamped copies

	mu        sync.Mutex
	processes []*process // by place
}

// newKillRun prepares a run with five devices that were onboarded with the
// simulator.
func newKillRun(t *testing.T, set func(testing.TB, *server.Config), seed uint64) *killRun {
	t.Helper()
	return newKillRunOf(t, set, seed, 5)
}

// newKillRunOf prepares a run with the given number of devices.
func newKillRunOf(t *testing.T, set func(testing.TB, *server.Config), seed uint64, devices int) *killRun {
	t.Helper()
	folder := t.TempDir()
	s := &killRun{t: t, data: filepath.Join(folder, "data"), seen: filepath.Join(folder, "authority.jsonl")}
	s.sim = servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: seed, Journal: s.seen})
	h := s.sim.Open(t, func(c *server.Config) {
		set(t, c)
		c.Data, s.database = s.data, c.Database
	})
	if err := h.Service.Store().Subscribe(t.Context(), h.Operator(h.Org), "enterprise"); err != nil {
		t.Fatal(err)
	}
	s.shop, s.key = h.NewSeller(), h.Key
	for range devices {
		s.devices = append(s.devices, h.Onboarded(h.Org).ID)
	}
	h.HTTP.Close()
	h.Service.Close()
	var err error
	if s.clients, err = os.OpenFile(filepath.Join(folder, "clients.jsonl"), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600); err != nil {
		t.Fatal(err)
	}
	s.journal = audit.NewClientJournal(s.clients)
	s.sim.Mood(`{"name":"moody"}`)
	return s
}

// serve starts the server of a place, which is an index of processes.
func (s *killRun) serve(place int) { s.serveUntil(place, "") }

// serveUntil starts a server that kills itself at a step, such as "committed#3".
func (s *killRun) serveUntil(place int, point string, more ...string) {
	more = append(more, "KHATM_TEST_SERVER_AUTHORITY="+s.sim.URL, "KHATM_TEST_SERVER_ARCHIVE="+s.archive)
	v := startProcess(s.t, s.data, s.database, point, more...)
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.processes) <= place {
		s.processes = append(s.processes, nil)
	}
	s.processes[place] = v
}

func (s *killRun) process(place int) *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.processes[place%len(s.processes)]
}

// create creates invoices with concurrent callers until ctx is done. A caller
// without a response repeats the request with the same key, as
// docs/integrating.md recommends.
func (s *killRun) create(ctx context.Context, creators int) {
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: creators}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for w := range creators {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 7))
			for n := 0; ctx.Err() == nil; n++ {
				device := s.devices[w%len(s.devices)]
				change := servicetest.Fields{"device": device, "notes": servicetest.Note(fmt.Sprintf("creator %d, sale %d", w, n))}
				body := s.shop.Simplified(servicetest.SuppliedToday(), change)
				switch random.IntN(10) {
				case 0: // rejected by the authority
					change["form_lines"] = []any{s.shop.Line(servicetest.Fields{"vat_rate": 10})}
					body = s.shop.Standard(servicetest.SuppliedToday(), change)
				case 1, 2, 3:
					body = s.shop.Standard(servicetest.SuppliedToday(), change)
				}
				if s.slow.Load() {
					time.Sleep(100 * time.Millisecond)
				}
				key := fmt.Sprintf("%d-%d-%s", w, n, uuid.NewString())
				for try := 0; ctx.Err() == nil && !s.ask(ctx, client, w+try, device, key, body); try++ {
				}
			}
		})
	}
	all.Wait()
}

// pause waits for a duration under testtool.All, and otherwise until the given
// number of further invoices is acknowledged.
func (s *killRun) pause(duration time.Duration, invoices int) {
	s.t.Helper()
	if testtool.All() {
		time.Sleep(duration)
		return
	}
	s.await(invoices)
}

// await waits until the given number of further invoices is acknowledged.
func (s *killRun) await(invoices int) {
	s.t.Helper()
	want := s.told.Load() + int64(invoices)
	servicetest.Eventually(s.t, fmt.Sprint(invoices, " further invoices"), func() bool { return s.told.Load() >= want })
}

// ask posts a body once, records the result, and reports whether the request is
// settled. It returns false if the same request must be sent again.
func (s *killRun) ask(ctx context.Context, client *http.Client, place int, device uuid.UUID, key, body string) bool {
	digest := sha256.Sum256([]byte(body))
	line := audit.Request{
		ID: uuid.NewString(), Time: time.Now(), Organisation: s.shop.Org.ID, Device: device, Key: key, Body: hex.EncodeToString(digest[:]),
	}
	r, err := http.NewRequest(http.MethodPost, "http://"+s.process(place).address+"/v1/api/invoices/", strings.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return true
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	s.made.Add(1)
	told := map[string]any{}
	answered, err := client.Do(r)
	if err == nil {
		var text bytes.Buffer
		if _, err = text.ReadFrom(answered.Body); err == nil {
			line.Status = answered.StatusCode
			told = servicetest.Answer{Status: answered.StatusCode, Header: answered.Header, Body: text.String()}.JSON(s.t)
		}
		_ = answered.Body.Close()
	}
	if err != nil {
		line.Trouble = err.Error()
	}
	if line.Status == http.StatusAccepted {
		line.Document = uuid.MustParse(fmt.Sprint(told["invoice_uuid"]))
		s.told.Add(1)
	}
	if err := s.journal.Append(line); err != nil {
		s.t.Error(err)
	}
	switch line.Status {
	case http.StatusAccepted:
		return true
	case 0, http.StatusServiceUnavailable:
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
		return false
	}
	s.t.Errorf("create with a valid body: got %d %v, want 202", line.Status, told)
	return true
}

// finish ends the run: the authority stops injecting faults, all documents get
// their verdicts, and the audit compares the journals. It returns the counts as
// text.
func (s *killRun) finish() (figure string) {
	s.t.Helper()
	s.sim.Mood(`{"name":"polite"}`)
	return s.settle()
}

// settle kills the servers, waits until every document has its verdict and
// every cleared one its stamped copy, and audits the result.
func (s *killRun) settle() (figure string) {
	s.t.Helper()
	for place := range s.processes {
		s.process(place).kill()
	}
	last := s.sim.Open(s.t, func(c *server.Config) {
		c.Data, c.Database, c.Archive = s.data, s.database, server.Archive{Location: s.archive, Wait: true}
	})
	documents := last.AllInvoices(s.shop.Org)
	within := servicetest.Patience + time.Duration(len(documents))*20*time.Millisecond
	fewest := 2*len(documents) + 1
	for end := time.Now().Add(within); ; time.Sleep(100 * time.Millisecond) {
		left := 0
		for _, i := range last.AllInvoices(s.shop.Org) {
			if !i.Status.Final() {
				left++
			}
		}
		unstamped, err := last.Service.Store().Unstamped(s.t.Context(), 10_000)
		if err != nil {
			s.t.Fatal(err)
		}
		if left == 0 && len(unstamped) == 0 {
			break
		}
		if left+len(unstamped) < fewest { // a busy machine may be slow, but must make progress
			fewest, end = left+len(unstamped), time.Now().Add(within)
		}
		if time.Now().After(end) {
			s.t.Fatalf("%d of %d documents have no verdict, %d no stamped copy", left, len(documents), len(unstamped))
		}
	}
	for _, i := range documents {
		tries, err := last.Service.Store().Attempts(s.t.Context(), org.TenantOf(s.shop.Org.ID), i.ID)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, a := range tries {
			if a.LapsedAt != nil {
				s.lapsed++
			}
			if a.Copy {
				s.copies++
			}
		}
	}
	if err := last.Service.SealTrail(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	last.HTTP.Close()
	last.Service.Close()
	return s.proves(len(documents))
}

// proves audits the store with both journals.
func (s *killRun) proves(documents int) (figure string) {
	s.t.Helper()
	seen, err := os.Open(s.seen)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = seen.Close() }()
	if _, err := s.clients.Seek(0, 0); err != nil {
		s.t.Fatal(err)
	}
	a, err := admin.Open(s.t.Context(), admin.Config{Data: s.data, Database: s.database, Operator: "test", Now: time.Now, NewID: uuid.New, Random: crand.Reader})
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Close()
	report, err := a.Audit(s.t.Context(), admin.Proof{Overdue: time.Nanosecond, Authority: seen, Clients: s.clients, Sole: true})
	if err != nil {
		s.t.Fatal(err)
	}
	var text bytes.Buffer
	if err := report.Print(&text); err != nil {
		s.t.Fatal(err)
	}
	if !report.Sound() {
		s.t.Error(text.String())
	}
	return fmt.Sprintf("%d documents, %d requests, %d acknowledged; %s", documents, s.made.Load(), s.told.Load(), report.Summary())
}

// TestTorture_R1_KillNine kills the server repeatedly.
func TestTorture_R1_KillNine(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			rounds, creators := testtool.Scale(2, 6, 200), testtool.Scale(8, 20, 20)
			s := newKillRun(t, engine.Set, 11)
			random := rand.New(rand.NewPCG(11, 3))
			s.serve(0)
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() { s.create(ctx, creators); close(ended) }()
			for range rounds {
				s.pause(time.Duration(20+random.IntN(400))*time.Millisecond, 1+random.IntN(30))
				s.process(0).kill()
				s.serve(0)
			}
			stop()
			<-ended
			servicetest.ReportScenario(t, fmt.Sprintf("R-1 kill -9 while %d create on 5 devices, moody authority, %s", creators, engine.Name), fmt.Sprint(rounds, " kills"), 11, s.finish())
		})
	}
}

// TestTorture_P1_ThreeProcesses kills one of three servers on one PostgreSQL
// database repeatedly.
func TestTorture_P1_ThreeProcesses(t *testing.T) {
	t.Parallel() // it mostly waits
	kills := testtool.Scale(1, 3, 30)
	s := newKillRun(t, servicetest.Engines()[1].Set, 12)
	for place := range 3 {
		s.serve(place)
	}
	random := rand.New(rand.NewPCG(12, 3))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.create(ctx, testtool.Scale(4, 20, 20)); close(ended) }()
	for range kills {
		s.pause(time.Second, 10)
		place := random.IntN(3)
		s.process(place).kill()
		s.pause(time.Second, 10)
		s.slow.Store(!testtool.All()) // a process takes long to start
		s.serve(place)
		s.slow.Store(false)
	}
	stop()
	<-ended
	servicetest.ReportScenario(t, "P-1 three servers on one PostgreSQL, one killed every two seconds", fmt.Sprint(kills, " kills"), 12, s.finish())
}

// TestTorture_R10_StoppedBeyondItsLease pauses a server for longer than its
// lease while another takes over, and then continues it.
func TestTorture_R10_StoppedBeyondItsLease(t *testing.T) {
	t.Parallel() // it mostly waits
	halts := testtool.Scale(1, 2, 15)
	s := newKillRun(t, servicetest.Engines()[1].Set, 13)
	for place := range 2 {
		s.serve(place)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.create(ctx, testtool.Scale(6, 10, 10)); close(ended) }()
	for n := range halts {
		s.pause(500*time.Millisecond, 40)
		halted := s.process(n % 2).process.Process
		_ = halted.Signal(syscall.SIGSTOP)
		s.slow.Store(!testtool.All())
		time.Sleep(2500 * time.Millisecond)
		_ = halted.Signal(syscall.SIGCONT)
		s.slow.Store(false)
	}
	stop()
	<-ended
	servicetest.ReportScenario(t, "R-10 a server halted for 2.5 s with a lease of 1 s", fmt.Sprint(halts, " halts"), 13, s.finish())
	if s.lapsed == 0 {
		t.Error("no lease expired")
	}
	t.Logf("%d leases expired", s.lapsed)
}
