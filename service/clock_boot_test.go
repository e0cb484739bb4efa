package service_test

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/server"
	"khatm/simulator"
)

// road is the way to an authority: it can be closed and made longer.
type road struct {
	t       *testing.T
	url     string
	address string
	to      http.Handler
	latency time.Duration
	server  *httptest.Server
}

// roadTo builds a way to the authority at an address.
func roadTo(t *testing.T, address string, latency time.Duration) *road {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	r := &road{t: t, address: "127.0.0.1:0", latency: latency}
	r.to = &httputil.ReverseProxy{
		Rewrite:  func(p *httputil.ProxyRequest) { p.Out.URL.Scheme, p.Out.URL.Host = at.Scheme, at.Host },
		ErrorLog: log.New(io.Discard, "", 0),
	}
	r.open()
	r.address = r.server.Listener.Addr().String()
	r.url = r.server.URL + at.Path
	t.Cleanup(func() { r.server.Close() })
	return r
}

func (r *road) open() {
	r.t.Helper()
	listener, err := net.Listen("tcp", r.address)
	if err != nil {
		r.t.Fatal(err)
	}
	r.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		time.Sleep(r.latency)
		r.to.ServeHTTP(w, request)
	}))
	r.server.Listener = listener
	r.server.Start()
}

// close has connections refused.
func (r *road) close() {
	r.server.CloseClientConnections()
	r.server.Close()
}

const year = 365 * 24 * time.Hour

// leavesOne issues an invoice that the authority has not answered when the server
// stops. sent says whether the authority got it.
func leavesOne(t *testing.T, office *office, actual *truth, engine engine, sent bool) (data, database string, shop *till, id uuid.UUID) {
	t.Helper()
	h := office.opens(t, func(c *server.Config) { engine.set(t, c); actual.use(c); c.Sending.Paused = !sent })
	shop = h.shop()
	office.mood(`{"drop_after": "100%"}`)
	id = shop.created(shop.simplified())
	becomes(t, "an attempt", func() bool {
		tries := shop.attempts(id)
		return !sent || len(tries) > 0 && tries[0].Outcome != ""
	})
	h.server.Close()
	h.service.Close()
	office.mood(`{"name":"polite"}`)
	return h.data, h.database, shop, id
}

// A clock that is a year ahead when the server starts does not stop what was
// sent a moment ago for its age.
func TestClockAheadAtTheStartStopsNothing(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			t.Parallel()
			actual := newTruth(time.Now)
			office := openOffice(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
			data, database, shop, id := leavesOne(t, office, actual, engine, true)
			actual.set(year)
			way := roadTo(t, office.url, 100*time.Millisecond) // many sweeps
			h := office.opens(t, func(c *server.Config) {
				actual.use(c)
				c.Data, c.Database, c.AuthorityURL = data, database, way.url
			})
			shop.house = h.house
			becomes(t, "the answer", func() bool { return shop.status(id).Final() })
			equal(t, "stopped", h.stops(t), 0)
			office.acceptedOnce([]uuid.UUID{id})
		})
	}
}

// Times that were written by a clock that was wrong hold nothing up once it is
// corrected.
func TestClockAheadAtTheStartOffline(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			t.Parallel()
			actual := newTruth(time.Now)
			office := openOffice(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
			data, database, shop, id := leavesOne(t, office, actual, engine, false)
			actual.set(year)
			way := roadTo(t, office.url, 0)
			way.close()
			h := office.opens(t, func(c *server.Config) {
				actual.use(c)
				c.Data, c.Database, c.AuthorityURL = data, database, way.url
				c.Sending.RetryFirst, c.Sending.RetryMost = time.Hour, time.Hour
			})
			shop.house = h.house
			becomes(t, "an attempt by the wrong clock", func() bool {
				tries := shop.attempts(id)
				return len(tries) > 0 && tries[0].Outcome != "" && tries[0].ClaimedAt.After(actual.Now().Add(year/2))
			})
			way.open()
			actual.advance(2 * time.Minute) // until the authority is asked again
			becomes(t, "the answer", func() bool { return shop.status(id).Final() })
			equal(t, "stopped", h.stops(t), 0)
			office.acceptedOnce([]uuid.UUID{id})
		})
	}
}

// A document that may have arrived is not sent by a clock that nobody has
// confirmed: the authority may have forgotten it.
func TestClockBehindAtTheStartSendsNothingInDoubt(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			t.Parallel()
			actual := newTruth(time.Now)
			office := openOffice(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
			data, database, shop, id := leavesOne(t, office, actual, engine, true)
			actual.advance(25 * time.Hour)
			actual.set(-25 * time.Hour)
			way := roadTo(t, office.url, 0)
			way.close()
			h := office.opens(t, func(c *server.Config) {
				actual.use(c)
				c.Data, c.Database, c.AuthorityURL = data, database, way.url
			})
			shop.house = h.house
			before := len(shop.attempts(id))
			second := h.shop()
			other := second.created(second.simplified())
			becomes(t, "an attempt of another document", func() bool { return len(second.attempts(other)) > 0 })
			way.open()
			becomes(t, "another attempt", func() bool { return len(second.attempts(other)) > 3 || second.status(other).Final() })
			actual.advance(time.Minute) // until the authority is asked again
			becomes(t, "the answer to the other document", func() bool { return second.status(other).Final() })
			actual.set(0)
			becomes(t, "the stop of what is in doubt", func() bool { return h.stops(t) == 1 })
			equal(t, "attempts", len(shop.attempts(id)), before)
		})
	}
}

// stops counts the documents that are held until a caller asks for them.
func (s *sending) stops(t *testing.T) int {
	t.Helper()
	backlog, err := s.service.Store().Backlog(t.Context(), s.service.Now())
	if err != nil {
		t.Fatal(err)
	}
	return backlog.Stopped
}

// A server waits for an authority that is slow to answer, before it serves.
func TestClockThatASlowAuthorityContradicts(t *testing.T) {
	t.Parallel()
	actual := newTruth(time.Now)
	office := openOffice(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
	way := roadTo(t, office.url, 1200*time.Millisecond)
	actual.set(year)
	r := runs(t, func(c *server.Config) { actual.use(c); c.AuthorityURL = way.url })
	if a := r.ask("/readyz/issuing"); !r.service.TimeKnown() || a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, "ahead of the tax authority's") {
		t.Errorf("the clock is trusted: %d %s", a.status, a.body)
	}
}
