package service_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"modernc.org/sqlite"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

// serverVariable is the environment variable that turns this test binary into a
// server that can be killed. Its value is the data folder; other variables set
// the database and the step of a transaction at which it kills itself.
const serverVariable = "KHATM_TEST_SERVER"

// TestServerToBeKilled is not a test: it is the server of the tests below.
func TestServerToBeKilled(t *testing.T) {
	data := os.Getenv(serverVariable)
	if data == "" {
		t.Skip("run by other tests in a separate process")
	}
	c := server.Defaults()
	c.Data, c.Database = data, os.Getenv("KHATM_TEST_SERVER_DATABASE")
	c.Address, c.Operations = cmp.Or(os.Getenv("KHATM_TEST_SERVER_ADDRESS"), "127.0.0.1:0"), os.Getenv("KHATM_TEST_SERVER_OPERATIONS")
	c.Archive = server.Archive{Location: os.Getenv("KHATM_TEST_SERVER_ARCHIVE"), Wait: os.Getenv("KHATM_TEST_SERVER_ARCHIVE_WAIT") != "no"}
	c.Marks = os.Getenv("KHATM_TEST_SERVER_MARKS")
	c.TrustFailover = os.Getenv("KHATM_TEST_SERVER_TRUST_FAILOVER") != ""
	c.Rates = servicetest.HighLimits()
	c.Rates.PublicDaily = 1 << 30
	if memory := os.Getenv("KHATM_TEST_SERVER_MEMORY"); memory != "" {
		var err error
		if c.Memory, err = strconv.ParseInt(memory, 10, 64); err != nil {
			t.Fatal(err)
		}
		debug.SetMemoryLimit(c.Heap())
	}
	if text := os.Getenv("KHATM_TEST_SERVER_SHIFT"); text != "" { // added to the clock
		shift, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		c.Now = func() time.Time { return time.Now().Add(shift) }
	}
	var ready atomic.Bool // ignore steps before the server is ready
	if c.AuthorityURL = os.Getenv("KHATM_TEST_SERVER_AUTHORITY"); c.AuthorityURL != "" && os.Getenv("KHATM_TEST_SERVER_SENDING") != "usual" {
		servicetest.FastSending(&c)
	}
	if os.Getenv(unsafeVariable) != "" {
		server.Point(&c, commitUnsafely())
	}
	if at := os.Getenv("KHATM_TEST_SERVER_POINT"); at != "" {
		step, after, _ := strings.Cut(at, "#")
		left, err := strconv.Atoi(after)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		server.Point(&c, func(reached string) error {
			mu.Lock()
			defer mu.Unlock()
			if reached == step && ready.Load() {
				if left--; left == 0 {
					_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
					select {}
				}
			}
			return nil
		})
	}
	s, err := server.New(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	err = s.Run(ctx, func(address string) {
		ready.Store(true)
		fmt.Println("serving " + address)
	})
	s.Close()
	if err != nil {
		t.Fatal(err)
	}
}

// unsafeVariable is the environment variable that makes the server commit with
// synchronous=NORMAL.
const unsafeVariable = "KHATM_TEST_SERVER_UNSAFE"

// commitUnsafely returns a hook that sets synchronous=NORMAL after the first commit,
// because a server refuses to start with it.
func commitUnsafely() func(step string) error {
	var writer sqlite.ExecQuerierContext
	sqlite.RegisterConnectionHook(func(conn sqlite.ExecQuerierContext, dsn string) error {
		if strings.Contains(dsn, "_txlock=immediate") {
			writer = conn
		}
		return nil
	})
	var once sync.Once
	return func(step string) (err error) {
		if step == "committed" {
			once.Do(func() { _, err = writer.ExecContext(context.Background(), "PRAGMA synchronous = NORMAL", nil) })
		}
		return err
	}
}

// process is a server in a separate process.
type process struct {
	process *exec.Cmd
	address string
}

func startProcess(t *testing.T, data, database, point string, more ...string) *process {
	t.Helper()
	v := &process{process: exec.Command(os.Args[0], "-test.run", "^TestServerToBeKilled$")}
	v.process.Env = append(os.Environ(), "GOGC="+strconv.Itoa(server.GCPercent), serverVariable+"="+data, "KHATM_TEST_SERVER_DATABASE="+database, "KHATM_TEST_SERVER_POINT="+point)
	v.process.Env = append(v.process.Env, more...)
	if testtool.Raced { // a data race ends the server, so that the test fails
		v.process.Env = append(v.process.Env, "GORACE=halt_on_error=1")
		v.process.Stderr = os.Stderr
	}
	out, err := v.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := v.process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "serving "); ok {
			v.address = address
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return v
		}
	}
	t.Fatalf("the server did not start: %v", v.process.Wait())
	return nil
}

func (v *process) kill() {
	_ = v.process.Process.Kill()
	_ = v.process.Wait()
}

// wantKilled waits for the end of the process and fails the test unless it was
// killed, which it does itself at the given step. It ends a process that does not.
func (v *process) wantKilled(t *testing.T, step string) {
	t.Helper()
	late := time.AfterFunc(servicetest.Patience, func() { _ = v.process.Process.Signal(syscall.SIGQUIT) })
	defer late.Stop()
	state, err := v.process.Process.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if status, ok := state.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Errorf("step %s was not reached: %v", step, state)
	}
}

// loaded is an organisation with five devices whose server is killed repeatedly
// while twenty callers create invoices.
type loaded struct {
	t              *testing.T
	data, database string
	archive        server.Archive
	key            string
	shop           *servicetest.Seller
	devices        []uuid.UUID

	mu       sync.Mutex
	told     map[string]string // numbers of the invoices acknowledged with 202, by id
	attempts int
}

func newLoaded(t *testing.T, database string) *loaded {
	t.Helper()
	b := &loaded{t: t, data: t.TempDir(), database: database, told: map[string]string{}}
	h := servicetest.Open(t, func(c *server.Config) { c.Data, c.Database, c.Now = b.data, database, time.Now })
	h.Clock.Advance(-time.Until(storetest.Start))
	if err := h.Service.Store().Subscribe(t.Context(), h.Operator(h.Org), "enterprise"); err != nil { // unlimited plan
		t.Fatal(err)
	}
	b.shop, b.key = h.NewSeller(), h.Key
	for range 5 {
		b.devices = append(b.devices, h.Issuing(h.Org, nil).ID)
	}
	h.Service.Close()
	return b
}

// attack creates invoices concurrently until the server is dead.
func (b *loaded) attack(v *process) {
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 20}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for w := range 20 {
		all.Go(func() {
			for b.create(client, v.address, b.devices[w%len(b.devices)]) {
			}
		})
	}
	all.Wait()
}

// killAfter creates invoices concurrently and kills the server once it has
// acknowledged the given number.
func (b *loaded) killAfter(v *process, invoices int) {
	acknowledged := func() int {
		b.mu.Lock()
		defer b.mu.Unlock()
		return len(b.told)
	}
	want, killed := acknowledged()+invoices, make(chan struct{})
	go func() {
		defer close(killed)
		for end := time.Now().Add(servicetest.Patience); acknowledged() < want; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				b.t.Errorf("%d invoices were acknowledged before the timeout, want %d", acknowledged(), want)
				break
			}
		}
		v.kill()
	}()
	b.attack(v)
	<-killed
}

// create creates one invoice and reports whether the server acknowledged it. A
// refusal is a test failure, a broken connection is not.
func (b *loaded) create(client *http.Client, address string, device uuid.UUID) bool {
	a, err := b.ask(client, address, device)
	if err == nil && a.Status != http.StatusAccepted {
		b.t.Errorf("create: got %d %s, want 202", a.Status, a.Body)
	}
	return err == nil && a.Status == http.StatusAccepted
}

// ask sends a request to create an invoice, and records the invoice if it is
// acknowledged.
func (b *loaded) ask(client *http.Client, address string, device uuid.UUID) (servicetest.Answer, error) {
	b.mu.Lock()
	b.attempts++
	n := b.attempts
	b.mu.Unlock()
	text := b.shop.Simplified(servicetest.Fields{"device": device, "supply_date": "2026-11-15", "notes": servicetest.Note(fmt.Sprint("attempt ", n))})
	r, err := http.NewRequest(http.MethodPost, "http://"+address+"/v1/api/invoices/", strings.NewReader(text))
	if err != nil {
		return servicetest.Answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+b.key)
	r.Header.Set("Content-Type", "application/json")
	response, err := client.Do(r)
	if err != nil {
		return servicetest.Answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return servicetest.Answer{}, err
	}
	a := servicetest.Answer{Status: response.StatusCode, Header: response.Header, Body: string(body)}
	if a.Status == http.StatusAccepted {
		told := a.JSON(b.t)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.told[fmt.Sprint(told["invoice_uuid"])] = fmt.Sprint(told["ref_num"])
	}
	return a, nil
}

// survives opens the database again and checks that every acknowledged invoice
// is there and that no chain has a gap, a fork or a repetition.
func (b *loaded) survives(t *testing.T) {
	t.Helper()
	h := servicetest.Open(t, func(c *server.Config) { c.Data, c.Database, c.Archive, c.Now = b.data, b.database, b.archive, time.Now })
	kept := map[string]string{}
	for _, i := range h.AllInvoices(b.shop.Org) {
		kept[i.ID.String()] = i.Number
	}
	for id, number := range b.told {
		if kept[id] != number {
			t.Errorf("invoice %s (%s) was acknowledged but is not stored", number, id)
		}
	}
	proved := h.CheckChains(b.shop.Org)
	usage, err := h.Service.Store().Usage(context.Background(), org.TenantOf(b.shop.Org.ID), time.Now())
	if err != nil || usage.Invoices != proved {
		t.Errorf("usage counts %d documents, want %d: %v", usage.Invoices, proved, err)
	}
	t.Logf("%d documents, %d acknowledged, %d attempts", proved, len(b.told), b.attempts)
}

func TestR1_KillNineDuringCreates(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			b := newLoaded(t, engine.NewDatabase(t))
			rounds := testtool.Scale(2, 8, 100)
			random := rand.New(rand.NewPCG(1, 2))
			for range rounds {
				v := startProcess(t, b.data, b.database, "")
				b.killAfter(v, 1+random.IntN(testtool.Count(30, 150)))
			}
			b.survives(t)
			servicetest.ReportScenario(t, "R-1 kill -9 while 20 create on 5 devices, without an authority, "+engine.Name, fmt.Sprint(rounds, " kills"), 1, fmt.Sprint(len(b.told), " acknowledged, none lost; chains verified"))
		})
	}
}

// TestR2_KillAtEveryStepOfTheAppend kills the server at each step of the
// transaction that issues documents. Unless testtool.All is set, only some of the
// steps at which rows are written are tested, and fewer with PostgreSQL.
func TestR2_KillAtEveryStepOfTheAppend(t *testing.T) {
	t.Parallel()
	steps := []string{
		"book taken", "state read", "decided", "documents written", "VAT rows written", "submissions written", "links written", "guards written",
		"numbers written", "chains written", "counts written", "audit trail written", "batch written", "commit", "committed",
	}
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			b := newLoaded(t, engine.NewDatabase(t))
			steps := steps
			switch {
			case testtool.All():
			case b.database != "":
				steps = []string{"commit", "committed"}
			default:
				steps = []string{"decided", "documents written", "chains written", "commit", "committed"}
			}
			for n, step := range steps {
				v := startProcess(t, b.data, b.database, fmt.Sprintf("%s#%d", step, 2+n%3))
				b.attack(v)
				v.wantKilled(t, step)
			}
			b.survives(t)
		})
	}
}
