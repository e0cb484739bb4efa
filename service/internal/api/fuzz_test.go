package api_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

// fuzzState holds the known records of an instance: own and foreign ids, and
// valid and invalid keys.
type fuzzState struct {
	keys          []string // the first has all rights
	buyers, items []string
	foreign, org  string // a client and an organisation that none of the keys may access
	witness       string // a key of the other organisation
	cursor        string
	files         [][]byte
	kinds         map[string][]string // known ids by field name
	invoices      []string
	app           map[string][]string // records of the app by path parameter
}

func (n *fuzzState) key(d randomSource) string {
	if d.in(8) {
		return one(d, n.keys)
	}
	return n.keys[0]
}

// id usually returns one of ours; otherwise a foreign or an unknown id.
func (n *fuzzState) id(d randomSource, ours []string) string {
	if len(ours) == 0 {
		return n.foreign
	}
	switch d.IntN(8) {
	case 0:
		return n.foreign
	case 1:
		return d.uuid()
	case 2:
		return strings.ToUpper(one(d, ours))
	}
	return one(d, ours)
}

func (n *fuzzState) file(d randomSource) []byte {
	content := one(d, n.files)
	if d.in(3) {
		content = d.mutate(content)
	}
	return content
}

// classify sets known ids in a client or an invoice.
func (n *fuzzState) classify(d randomSource, o servicetest.Record) {
	for _, name := range slices.Sorted(maps.Keys(n.kinds)) {
		if _, given := o[name]; given && !d.in(5) {
			o[name] = one(d, n.kinds[name])
		}
	}
	if _, is := o["form_lines"]; is {
		n.sell(d, o)
	}
}

// populate adds records for requests to refer to.
func populate(h *servicetest.Instance, t testing.TB) *fuzzState {
	t.Helper()
	_, stranger := h.Stranger()
	other := h.Organisation("Third Trading", "business")
	revoked := h.NewKey(h.Org, org.CreateInvoice)
	h.Revoke(h.Org, revoked)
	n := &fuzzState{
		keys: []string{h.Key, h.NewKey(h.Org, org.ViewInvoice), h.NewKey(h.Org, org.Accountant, org.ItemGet), stranger, revoked, h.Session(org.Admin, h.Org), ""},
		org:  other.ID.String(), foreign: h.Client(other, "Foreign").ID.String(), witness: h.NewKey(other, org.ViewInvoice),
		kinds: map[string][]string{},
		files: [][]byte{[]byte(servicetest.APNG(t)), []byte(servicetest.AJPEG(t)), []byte(servicetest.AWebP()), []byte(servicetest.OnePixelPNG()), {}, []byte("<svg/>"), []byte(servicetest.VastPNG()), bytes.Repeat([]byte("x"), 5000)},
	}
	for range 5 {
		n.buyers = append(n.buyers, servicetest.IDOf(h.AddClient(t, servicetest.GoodClient(), servicetest.Part{Field: "file", Filename: "a.png", Content: servicetest.APNG(t)})))
		n.items = append(n.items, servicetest.IDOf(h.AddItem(t, servicetest.GoodItem(), servicetest.Part{Field: "image", Filename: "a.png", Content: servicetest.APNG(t)})))
	}
	n.open(h.NewSeller())
	n.cursor, _ = h.Read(t, "/api/buyers/?page_size=2")["next_cursor"].(string)
	for name, path := range map[string]string{"business_type": "/api/business-types/", "industry": "/api/industries/"} {
		for _, value := range h.Read(t, path) {
			entry, _ := value.(servicetest.Record)
			n.kinds[name] = append(n.kinds[name], servicetest.IDOf(entry))
		}
		slices.Sort(n.kinds[name])
	}
	return n
}

// serveRequest serves a request without a socket. It returns false if the
// request cannot be built.
func serveRequest(h *servicetest.Instance, s fuzzRequest) (*http.Request, servicetest.Answer, bool) {
	raw := s.raw
	if raw == "" {
		raw = s.query.Encode()
	}
	at, err := url.ParseRequestURI(s.path)
	if err != nil || strings.ContainsAny(s.path, "?#") {
		return nil, servicetest.Answer{}, false
	}
	at.RawQuery = raw
	r, err := http.NewRequestWithContext(context.Background(), s.method, "http://khatm.test/", bytes.NewReader(s.body))
	if err != nil {
		return nil, servicetest.Answer{}, false
	}
	r.URL.Path, r.URL.RawPath, r.URL.RawQuery, r.Header, r.RemoteAddr = at.Path, at.RawPath, at.RawQuery, s.header, "192.0.2.1:1234"
	w := httptest.NewRecorder()
	h.Service.Handler().ServeHTTP(w, r)
	return r, servicetest.Answer{Status: w.Code, Header: servicetest.AsRead(w.Header()), Body: w.Body.String()}, true
}

// checkAnswer checks the answer to a random request.
func checkAnswer(h *servicetest.Instance, r *http.Request, a servicetest.Answer) error {
	if a.Status >= 500 {
		return fmt.Errorf("internal error: %s", a.Body)
	}
	return servicetest.CheckAnswer(h.Service.Rows(), r, a)
}

// setting returns a number from the environment, or otherwise if it is not set.
func setting(t testing.TB, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// fuzzSeed returns KHATM_SEED, or a seed that differs in every run under
// testtool.All and is fixed otherwise.
func fuzzSeed(t testing.TB) uint64 {
	t.Helper()
	otherwise := uint64(1)
	if testtool.All() {
		otherwise = uint64(time.Now().UnixNano())
	}
	seed := setting(t, "KHATM_SEED", otherwise)
	t.Logf("KHATM_SEED=%d", seed)
	return seed
}

func TestFuzz_NoRequestBreaksTheService(t *testing.T) {
	t.Parallel()
	shots, seed := testtool.Scale(300, 3_000, 100_000), fuzzSeed(t)
	var lite, post map[int]int
	t.Run("engines", func(t *testing.T) {
		t.Run("SQLite", func(t *testing.T) {
			t.Parallel()
			lite = sendRandom(servicetest.Open(t, nil), t, shots, seed)
		})
		t.Run("PostgreSQL", func(t *testing.T) {
			t.Parallel()
			url := storetest.Postgres(t).URL
			post = sendRandom(servicetest.Open(t, func(c *server.Config) { c.Database = url }), t, shots, seed)
		})
	})
	t.Logf("statuses: %v", lite)
	if post != nil {
		servicetest.Same(t, "statuses on PostgreSQL, compared with SQLite", post, lite)
	}
}

// sendRandom sends random requests and counts the responses by status.
func sendRandom(h *servicetest.Instance, t *testing.T, shots int, seed uint64) map[int]int {
	t.Helper()
	near, all, d := populate(h, t), fuzzTargets(h, h.Document(t)), newRandomSource(seed)
	foreign := h.As(near.witness, http.MethodGet, "/v1/api/buyers/"+near.foreign+"/", "").Wants(t, http.StatusOK)
	statuses := map[int]int{}
	for n := 0; n < shots && !t.Failed(); n++ {
		s := d.request(one(d, all), near)
		if d.in(3) {
			d.bend(&s, near)
		}
		r, a, sent := serveRequest(h, s)
		if !sent {
			continue
		}
		statuses[a.Status]++
		if err := checkAnswer(h, r, a); err != nil {
			t.Errorf("KHATM_SEED=%d, request %d: %v\n%s %s?%s\n%v\n%.3000q", seed, n, err, s.method, s.path, r.URL.RawQuery, s.header, s.body)
		}
	}
	if at := strings.Index(h.Log.String(), `"panic"`); at >= 0 {
		t.Errorf("KHATM_SEED=%d: panic in the log: %.2000s", seed, h.Log.String()[at:])
	}
	servicetest.Same(t, "another organisation's client", h.As(near.witness, http.MethodGet, "/v1/api/buyers/"+near.foreign+"/", "").Wants(t, http.StatusOK), foreign)
	expected := []int{200, 400, 401, 404}
	if shots >= 1_000 {
		expected = append(expected, 201, 202, 304, 403, 405, 409)
	}
	for _, want := range expected {
		if statuses[want] == 0 {
			t.Errorf("no response has status %d: %v", want, statuses)
		}
	}
	for _, l := range servicetest.Listings() {
		walk(h, t, l)
	}
	t.Logf("%d documents", h.CheckChains(h.Org))
	return statuses
}

// walk reads all pages of a list, to check that everything accepted can be
// shown.
func walk(h *servicetest.Instance, t testing.TB, l servicetest.Listing) {
	t.Helper()
	page := h.Read(t, l.Path+"?page_size=100")
	seen, total := len(servicetest.Names(t, page[l.Rows], l.ID)), page["total"]
	for page["next_cursor"] != nil {
		page = h.Read(t, fmt.Sprint(l.Path, "?page_size=100&cursor=", page["next_cursor"]))
		seen += len(servicetest.Names(t, page[l.Rows], l.ID))
	}
	servicetest.Same(t, l.Path, servicetest.Number(seen), total)
}
