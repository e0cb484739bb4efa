package service_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

// floodMemory returns the memory of the server under a flood, in MiB.
func floodMemory() int { return testtool.Count(256, 512) }

// flooded is a server on which one organisation sends as much as it can while
// another works as usual.
type flooded struct {
	t      *testing.T
	server *process

	flood  *http.Client // connects from another address
	other  *http.Client
	key    string // of the organisation that floods
	shop   *servicetest.Seller
	issued []uuid.UUID // its large invoices

	otherKey    string
	otherShop   *servicetest.Seller
	otherIssued uuid.UUID
	creates     atomic.Int64
	failed      atomic.Int64 // responses other than success and 503
}

// newFlooded starts a server. The organisation that floods has invoices with the
// given number of lines.
func newFlooded(t *testing.T, invoices, lines int) *flooded {
	t.Helper()
	f := &flooded{t: t, flood: clientFrom(t, "127.0.0.2"), other: clientFrom(t, "127.0.0.1")}
	data := t.TempDir()
	h := servicetest.Open(t, func(c *server.Config) { c.Data, c.Now = data, time.Now })
	h.Clock.Advance(-time.Until(storetest.Start))
	if err := h.Service.Store().Subscribe(t.Context(), h.Operator(h.Org), "enterprise"); err != nil {
		t.Fatal(err)
	}
	f.shop = h.NewSeller()
	f.key = h.NewKey(h.Org, org.Accountant)
	for n := range invoices {
		f.issued = append(f.issued, f.shop.Created(f.large(lines, fmt.Sprint("invoice ", n))))
	}
	o := h.Organisation("Other Trading", "enterprise")
	f.otherShop, f.otherKey = h.SellerOf(o), h.NewKey(o, org.Accountant)
	f.otherIssued = servicetest.Parsed(t, servicetest.IssuedID(t, h.As(f.otherKey, http.MethodPost, f.otherShop.Address, f.otherShop.Simplified(servicetest.SuppliedToday())).JSON(t)))
	h.HTTP.Close()
	h.Service.Close()
	f.server = startProcess(t, data, "", "", "KHATM_TEST_SERVER_MEMORY="+strconv.Itoa(floodMemory()<<20))
	t.Cleanup(f.server.kill)
	return f
}

// clientFrom returns a client that connects from a loopback address, if the system
// has it.
func clientFrom(t *testing.T, address string) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	if probe, err := net.Listen("tcp", address+":0"); err != nil {
		dialer.LocalAddr = nil
	} else {
		_ = probe.Close()
	}
	client := &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 1000}}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// large returns an invoice with many lines.
func (f *flooded) large(lines int, note string) string {
	all := make([]any, lines)
	for n := range all {
		all[n] = f.shop.Line(servicetest.Fields{"item_name": fmt.Sprint("Line ", n, " of a large invoice")})
	}
	return f.shop.Simplified(servicetest.SuppliedToday(), servicetest.Fields{"form_lines": all, "notes": servicetest.Note(note)})
}

// load is one kind of request that floods the server.
type load struct {
	callers int
	request func(n int64) *http.Request
}

// request returns a request of the organisation that floods.
func (f *flooded) request(method, path string, prepare ...func(*http.Request)) *http.Request {
	r, err := http.NewRequest(method, "http://"+f.server.address+path, http.NoBody)
	if err != nil {
		panic(err)
	}
	servicetest.Bearer(f.key)(r)
	for _, p := range prepare {
		p(r)
	}
	return r
}

// loads returns the kinds of requests, each with the given number of lines.
func (f *flooded) loads(lines int) map[string]load {
	preview := f.large(lines, "preview")
	logo := servicetest.Part{Field: "file", Filename: "logo.png", Content: noise(f.t, 700)}
	facts := sample.Simplified()
	for n := len(facts.Lines); n < lines/2; n++ {
		facts.Lines = append(facts.Lines, facts.Lines[0])
	}
	xml := servicetest.SealedOf(f.t, facts)
	forms := []string{`{"language":"ar"}`, `{"language":"en"}`, `{"paper":"80mm"}`, `{"language":"ar","paper":"80mm"}`}
	return map[string]load{
		"lists": {8, func(int64) *http.Request { return f.request(http.MethodGet, "/v1/api/invoices/?page_size=100") }},
		"previews": {200, func(int64) *http.Request {
			return f.request(http.MethodPost, "/v1/api/invoices/preview/", servicetest.JSONBody(preview))
		}},
		"uploads": {60, func(n int64) *http.Request {
			client := strings.Replace(servicetest.GoodClient(), "Al Noor", fmt.Sprint("Noor ", n), 1)
			return f.request(http.MethodPost, servicetest.ClientsPath, servicetest.FormBody(f.t, servicetest.Part{Field: "client_data", Content: client}, logo))
		}},
		"PDFs": {60, func(n int64) *http.Request {
			path := "/v1/api/invoices/" + f.issued[n/int64(len(forms))%int64(len(f.issued))].String() + "/pdf-a3/"
			return f.request(http.MethodPost, path, servicetest.JSONBody(forms[n%int64(len(forms))]))
		}},
		"parses": {60, func(int64) *http.Request {
			return f.request(http.MethodPost, servicetest.ParsePath, servicetest.FormBody(f.t, servicetest.Part{Field: "file", Filename: "invoice.xml", Content: xml}))
		}},
		"searches": {100, func(n int64) *http.Request {
			return f.request(http.MethodGet, fmt.Sprint("/v1/api/invoices/?search=invoice+", n%10))
		}},
	}
}

// noise returns a PNG whose pixels cannot be compressed.
func noise(t *testing.T, side int) string {
	t.Helper()
	pixels := image.NewNRGBA(image.Rect(0, 0, side, side))
	random := rand.NewChaCha8([32]byte{})
	_, _ = random.Read(pixels.Pix)
	var out bytes.Buffer
	if err := png.Encode(&out, pixels); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// floodKeys is how many API keys the organisation that floods uses. Each allows 200
// calls a minute.
const floodKeys = 10

// floodVariable is the environment variable that makes this test binary flood a
// server. Its value is a flood as JSON.
const floodVariable = "KHATM_TEST_FLOOD"

// flood is a flood of requests from a separate process, which takes no time from the
// callers of the other organisation.
type flood struct {
	Address, Key string
	Device, Org  uuid.UUID
	Issued       []uuid.UUID
	Lines        int
	Kinds        []string // of loads
	Spell        time.Duration
}

// answers is how often each status was the answer, by kind of load.
type answers map[string]map[int]int

// TestFlood is not a test: it is the flood of the test below.
func TestFlood(t *testing.T) {
	text := os.Getenv(floodVariable)
	if text == "" {
		t.Skip("run by another test in a separate process")
	}
	var of flood
	if err := json.Unmarshal([]byte(text), &of); err != nil {
		t.Fatal(err)
	}
	f := &flooded{t: t, flood: clientFrom(t, "127.0.0.2"), server: &process{address: of.Address}, key: of.Key, issued: of.Issued}
	f.shop = &servicetest.Seller{Instance: &servicetest.Instance{TB: t}, Device: device.Device{ID: of.Device}, Org: org.Organisation{ID: of.Org}}
	loads := f.loads(of.Lines)
	maps.DeleteFunc(loads, func(kind string, _ load) bool { return !slices.Contains(of.Kinds, kind) })
	fmt.Println("ready")
	_, _ = fmt.Scanln()
	ctx, cancel := context.WithTimeout(t.Context(), of.Spell)
	defer cancel()
	out, err := json.Marshal(f.run(ctx, loads))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("answers %s\n", out)
}

// begin starts a flood and returns when it can send. start makes it send; end waits
// for its end and returns the answers.
func (f *flooded) begin(of flood) (start func(), end func() answers) {
	text, err := json.Marshal(of)
	if err != nil {
		f.t.Fatal(err)
	}
	c := exec.CommandContext(f.t.Context(), os.Args[0], "-test.run", "^TestFlood$")
	c.Env = append(os.Environ(), floodVariable+"="+string(text))
	in, errIn := c.StdinPipe()
	out, errOut := c.StdoutPipe()
	if err := errors.Join(errIn, errOut, c.Start()); err != nil {
		f.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "ready" {
	}
	return func() { _ = in.Close() }, func() (got answers) {
		for lines.Scan() {
			if text, found := strings.CutPrefix(lines.Text(), "answers "); !found {
				f.t.Log(lines.Text())
			} else if err := json.Unmarshal([]byte(text), &got); err != nil {
				f.t.Fatal(err)
			}
		}
		if err := c.Wait(); err != nil {
			f.t.Errorf("flood: %v", err)
		}
		return got
	}
}

// run sends requests of some kinds until ctx is done. All callers send their first
// request at once; after that they keep within the rate limits of their keys, which
// are not in effect.
func (f *flooded) run(ctx context.Context, loads map[string]load) answers {
	var mu sync.Mutex
	got := answers{}
	var running sync.WaitGroup
	next := time.NewTicker(time.Minute / (200 * floodKeys))
	defer next.Stop()
	for name, l := range loads {
		got[name] = map[int]int{}
		var sent atomic.Int64
		for range testtool.Count(max(3, l.callers/10), l.callers) {
			running.Go(func() {
				for ctx.Err() == nil {
					status := f.statusOf(l.request(sent.Add(1)))
					mu.Lock()
					got[name][status]++
					mu.Unlock()
					select {
					case <-next.C:
					case <-ctx.Done():
					}
				}
			})
		}
	}
	running.Wait()
	return got
}

// statusOf sends a request and reads the response. It returns 0 if the connection
// broke.
func (f *flooded) statusOf(r *http.Request) int {
	a, err := f.flood.Do(r)
	if err != nil {
		f.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		return 0
	}
	defer func() { _ = a.Body.Close() }()
	var body bytes.Buffer
	if a.StatusCode == http.StatusOK {
		_, err = io.Copy(io.Discard, a.Body)
	} else {
		_, err = body.ReadFrom(a.Body)
	}
	if err != nil {
		f.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	switch a.StatusCode {
	case http.StatusOK, http.StatusCreated:
	case http.StatusServiceUnavailable:
		if a.Header.Get("Retry-After") == "" {
			f.t.Errorf("%s %s: 503 without Retry-After", r.Method, r.URL.Path)
		}
	default:
		if f.failed.Add(1) == 1 { // one is enough
			f.t.Errorf("%s %s: %d %s", r.Method, r.URL.Path, a.StatusCode, body.String())
		}
	}
	return a.StatusCode
}

// work calls the server as the other organisation until ctx is done: small calls one
// after the other, and creates with two callers. It returns the durations of the
// small calls, sorted, and the creates per second.
func (f *flooded) work(ctx context.Context) (took []time.Duration, creates float64) {
	var running sync.WaitGroup
	began := time.Now()
	var created atomic.Int64
	for range 2 {
		running.Go(func() {
			for ctx.Err() == nil {
				body := f.otherShop.Simplified(servicetest.SuppliedToday(), servicetest.Fields{"notes": servicetest.Note(fmt.Sprint("other ", f.creates.Add(1)))})
				f.otherCall(http.MethodPost, "/v1/api/invoices/", body, http.StatusAccepted)
				created.Add(1)
			}
		})
	}
	for n := 0; ctx.Err() == nil; n++ {
		path := []string{"/v1/api/usage/current/", "/v1/api/invoices/?page_size=20", "/v1/api/invoices/" + f.otherIssued.String() + "/", "/v1/api/devices/"}[n%4]
		sent := time.Now()
		f.otherCall(http.MethodGet, path, "", http.StatusOK)
		took = append(took, time.Since(sent))
		time.Sleep(2 * time.Millisecond)
	}
	running.Wait()
	slices.Sort(took)
	return took, float64(created.Load()) / time.Since(began).Seconds()
}

func (f *flooded) otherCall(method, path, body string, want int) {
	r, err := http.NewRequest(method, "http://"+f.server.address+path, strings.NewReader(body))
	if err != nil {
		f.t.Error(err)
		return
	}
	servicetest.Bearer(f.otherKey)(r)
	r.Header.Set("Content-Type", "application/json")
	a, err := f.other.Do(r)
	if err != nil {
		f.t.Errorf("the other organisation: %s %s: %v", method, path, err)
		return
	}
	defer func() { _ = a.Body.Close() }()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != want {
		f.t.Errorf("the other organisation: %s %s: %d %s, %v; want %d", method, path, a.StatusCode, text, err, want)
	}
}

// percentile99 returns the 99th percentile of sorted durations.
func percentile99(took []time.Duration) time.Duration { return took[len(took)*99/100] }

// peak returns the largest resident memory of the server in MiB.
func (v *process) peak(t *testing.T) int { return v.memory(t, "VmHWM") }

// memory returns a field of the status of the process, in MiB.
func (v *process) memory(t *testing.T, field string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(v.process.Process.Pid) + "/status")
	if err != nil {
		t.Skip("the memory of another process is not available on this system")
	}
	_, after, _ := strings.Cut(string(text), field+":")
	kib, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib >> 10
}

// largePage reads a page of large invoices and checks how much memory the server
// needs for it, and in long runs the time to the first byte.
func (f *flooded) largePage(t *testing.T) {
	t.Helper()
	const resetPeak = "5"
	if err := os.WriteFile("/proc/"+strconv.Itoa(f.server.process.Process.Pid)+"/clear_refs", []byte(resetPeak), 0); err != nil {
		t.Logf("the memory of a page is not measured: %v", err)
		return
	}
	idle, began := f.server.memory(t, "VmRSS"), time.Now()
	a, err := f.other.Do(f.request(http.MethodGet, "/v1/api/invoices/?page_size=100"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }()
	_, err = io.CopyN(io.Discard, a.Body, 1)
	first := time.Since(began)
	n, errRest := io.Copy(io.Discard, a.Body)
	if err != nil || errRest != nil || a.StatusCode != http.StatusOK {
		t.Errorf("page of large invoices: status %d, %v, %v", a.StatusCode, err, errRest)
	}
	used := f.server.peak(t) - idle
	if used > 32 && !testtool.Raced {
		t.Errorf("a page of %d bytes needed %d MiB, want at most 32", n, used)
	}
	if testtool.Torture() && first > 200*time.Millisecond {
		t.Errorf("the first byte of a page came after %s, want at most 200 ms", first)
	}
	servicetest.ReportScenario(t, "page of 100 large invoices", fmt.Sprint(n, " bytes"), 0, fmt.Sprintf("%d MiB above idle, first byte after %s", used, first.Round(time.Millisecond)))
}

// TestOneOrganisationFloods checks that one organisation cannot take the server
// from another, and that the server keeps within its memory: the flood gets
// answers or 503. Times are compared in long runs only.
func TestOneOrganisationFloods(t *testing.T) {
	t.Parallel()
	invoices, lines := testtool.Count(3, 100), testtool.Count(500, 4000)
	spell := time.Duration(testtool.Count(500, 10_000)) * time.Millisecond
	f := newFlooded(t, invoices, lines)
	work := func() ([]time.Duration, float64) {
		ctx, cancel := context.WithTimeout(t.Context(), spell)
		defer cancel()
		return f.work(ctx)
	}
	during := func(kinds []string) (got answers, took []time.Duration, creates float64) {
		start, end := f.begin(flood{f.server.address, f.key, f.shop.Device.ID, f.shop.Org.ID, f.issued, lines, kinds, spell})
		start()
		took, creates = work()
		return end(), took, creates
	}
	f.largePage(t)
	quiet, before := work()
	t.Logf("quiet: p99 %s, %.0f creates/s, %d MiB", percentile99(quiet), before, f.server.peak(t))
	all := []string{"PDFs", "lists", "parses", "previews", "searches", "uploads"}
	runs := map[string][]string{"all": all}
	if testtool.Torture() {
		for _, kind := range all {
			runs[kind] = []string{kind}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		answers, took, creates := during(runs[name])
		p99, limit := percentile99(took), max(100*time.Millisecond, 10*percentile99(quiet))
		after := before
		if testtool.Torture() {
			quiet, after = work()
		}
		share := creates / ((before + after) / 2)
		t.Logf("%s: %v; p99 %s, %.0f creates/s; then quiet: p99 %s, %.0f creates/s; %d MiB", name, answers, p99, creates, percentile99(quiet), after, f.server.peak(t))
		if testtool.Torture() && p99 > limit {
			t.Errorf("%s: p99 of the other organisation is %s, want at most %s", name, p99, limit)
		}
		if testtool.Torture() && share < 0.5 {
			t.Errorf("%s: %.0f creates/s of the other organisation, want at least half of the average of %.0f before and %.0f after", name, creates, before, after)
		}
		servicetest.ReportScenario(t, "one organisation floods with "+name, spell.String(), 0,
			fmt.Sprintf("another: p99 %s (quiet %s), %.2f of its creates; at most %d MiB", p99.Round(time.Millisecond), percentile99(quiet).Round(time.Millisecond), share, f.server.peak(t)))
		before = after
	}
	if peak := f.server.peak(t); !testtool.Raced && peak > floodMemory() {
		t.Errorf("the server used %d MiB, want at most %d", peak, floodMemory())
	}
}
