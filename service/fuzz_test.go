package service_test

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

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
)

// nearby is what there is in a house: ids that are ours or another's, keys that
// work or do not.
type nearby struct {
	keys          []string // the first is the one that may do everything
	buyers, items []string
	foreign, org  string // a client and an organisation that no key here may touch
	witness       string // the key that may
	cursor        string
	files         [][]byte
	kinds         map[string][]string // ids that a field may have, by its name
	invoices      []string
	drafts        []string
	letters       []string
}

func (n *nearby) key(d dice) string {
	if d.in(8) {
		return one(d, n.keys)
	}
	return n.keys[0]
}

// id is one of ours, most often.
func (n *nearby) id(d dice, ours []string) string {
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

func (n *nearby) file(d dice) []byte {
	content := one(d, n.files)
	if d.in(3) {
		content = d.jolt(content)
	}
	return content
}

// classify puts ids that are known into a client or an invoice.
func (n *nearby) classify(d dice, o record) {
	for _, name := range slices.Sorted(maps.Keys(n.kinds)) {
		if _, given := o[name]; given && !d.in(5) {
			o[name] = one(d, n.kinds[name])
		}
	}
	if _, is := o["form_lines"]; is {
		n.sell(d, o)
	}
}

// settle furnishes a house with what requests can be about.
func (h *house) settle(t testing.TB) *nearby {
	t.Helper()
	_, stranger := h.stranger()
	other := h.organisation("Third Trading", "business")
	revoked := h.newKey(h.org, org.CreateInvoice)
	h.revoke(h.org, revoked)
	n := &nearby{
		keys: []string{h.key, h.newKey(h.org, org.ViewInvoice), h.newKey(h.org, org.Accountant, org.ItemGet), stranger, revoked, h.session(org.Admin, h.org), ""},
		org:  other.ID.String(), foreign: h.client(other, "Foreign").ID.String(), witness: h.newKey(other, org.ViewInvoice),
		kinds: map[string][]string{},
		files: [][]byte{[]byte(aPNG(t)), []byte(aJPEG(t)), []byte(aWebP(t)), []byte(dot()), {}, []byte("<svg/>"), []byte(vastPNG()), bytes.Repeat([]byte("x"), 5000)},
	}
	for range 5 {
		n.buyers = append(n.buyers, idOf(h.addClient(t, goodClient(), part{"file", "a.png", aPNG(t)})))
		n.items = append(n.items, idOf(h.addItem(t, goodItem(), part{"image", "a.png", aPNG(t)})))
	}
	n.open(h.till())
	n.cursor, _ = h.read(t, "/api/buyers/?page_size=2")["next_cursor"].(string)
	for name, path := range map[string]string{"business_type": "/api/business-types/", "industry": "/api/industries/"} {
		for _, value := range h.read(t, path) {
			entry, _ := value.(record)
			n.kinds[name] = append(n.kinds[name], idOf(entry))
		}
		slices.Sort(n.kinds[name])
	}
	return n
}

// fire serves a request without a socket. False: it cannot be sent at all.
func (h *house) fire(s shot) (*http.Request, answer, bool) {
	raw := s.raw
	if raw == "" {
		raw = s.query.Encode()
	}
	at, err := url.ParseRequestURI(s.path)
	if err != nil || strings.ContainsAny(s.path, "?#") {
		return nil, answer{}, false
	}
	at.RawQuery = raw
	r, err := http.NewRequestWithContext(context.Background(), s.method, "http://khatm.test/", bytes.NewReader(s.body))
	if err != nil {
		return nil, answer{}, false
	}
	r.URL.Path, r.URL.RawPath, r.URL.RawQuery, r.Header, r.RemoteAddr = at.Path, at.RawPath, at.RawQuery, s.header, "192.0.2.1:1234"
	w := httptest.NewRecorder()
	h.service.Handler().ServeHTTP(w, r)
	return r, answer{w.Code, asRead(w.Header()), w.Body.String()}, true
}

// setting reads a number out of the environment.
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

func TestFuzz_NoRequestBreaksTheService(t *testing.T) {
	shots, seed := 3_000, setting(t, "KHATM_SEED", uint64(time.Now().UnixNano()))
	if os.Getenv("KHATM_TORTURE") == "1" {
		shots = 100_000
	}
	t.Logf("KHATM_SEED=%d", seed)
	var lite, post map[int]int
	t.Run("engines", func(t *testing.T) {
		t.Run("SQLite", func(t *testing.T) {
			t.Parallel()
			lite = open(t, nil).shoot(t, shots, seed)
		})
		t.Run("PostgreSQL", func(t *testing.T) {
			t.Parallel()
			url := storetest.Postgres(t).URL
			post = open(t, func(c *server.Config) { c.Database = url }).shoot(t, shots, seed)
		})
	})
	t.Logf("statuses: %v", lite)
	if post != nil {
		same(t, "PostgreSQL answers as SQLite does", post, lite)
	}
}

// shoot fires so many requests, and counts the answers by status.
func (h *house) shoot(t *testing.T, shots int, seed uint64) map[int]int {
	t.Helper()
	near, all, d := h.settle(t), h.preys(h.document(t)), newDice(seed)
	foreign := h.as(near.witness, http.MethodGet, "/v1/api/buyers/"+near.foreign+"/", "").wants(t, http.StatusOK)
	statuses := map[int]int{}
	for n := 0; n < shots && !t.Failed(); n++ {
		s := d.aim(one(d, all), near)
		if d.in(3) {
			d.bend(&s, near)
		}
		r, a, sent := h.fire(s)
		if !sent {
			continue
		}
		statuses[a.status]++
		err := held(h.service.Rows(), r, a)
		if a.status >= 500 {
			err = fmt.Errorf("it broke: %s", a.body)
		}
		if err != nil {
			t.Errorf("KHATM_SEED=%d, request %d: %v\n%s %s?%s\n%v\n%.3000q", seed, n, err, s.method, s.path, r.URL.RawQuery, s.header, s.body)
		}
	}
	if at := strings.Index(h.log.String(), `"panic"`); at >= 0 {
		t.Errorf("KHATM_SEED=%d: %.2000s", seed, h.log.String()[at:])
	}
	same(t, "another organisation's client", h.as(near.witness, http.MethodGet, "/v1/api/buyers/"+near.foreign+"/", "").wants(t, http.StatusOK), foreign)
	for _, want := range []int{200, 201, 202, 304, 400, 401, 403, 404, 405, 409} {
		if statuses[want] == 0 {
			t.Errorf("no request was answered with %d: %v", want, statuses)
		}
	}
	for _, l := range listings() {
		h.walk(t, l)
	}
	t.Logf("%d documents", h.provesChains(h.org))
	return statuses
}

// walk reads all of a list: whatever was let in can be told.
func (h *house) walk(t testing.TB, l listing) {
	t.Helper()
	page := h.read(t, l.path+"?page_size=100")
	seen, total := len(names(t, page[l.rows], l.id)), page["total"]
	for page["next_cursor"] != nil {
		page = h.read(t, fmt.Sprint(l.path, "?page_size=100&cursor=", page["next_cursor"]))
		seen += len(names(t, page[l.rows], l.id))
	}
	same(t, l.path, number(seen), total)
}
