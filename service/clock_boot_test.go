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
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// proxy is a proxy to an authority that can be closed or slowed down.
type proxy struct {
	t       *testing.T
	url     string
	address string
	to      http.Handler
	latency time.Duration
	server  *httptest.Server
}

// proxyTo returns a proxy to the authority at an address.
func proxyTo(t *testing.T, address string, latency time.Duration) *proxy {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	r := &proxy{t: t, address: "127.0.0.1:0", latency: latency}
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

func (r *proxy) open() {
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

// close makes the proxy refuse connections.
func (r *proxy) close() {
	r.server.CloseClientConnections()
	r.server.Close()
}

const year = 365 * 24 * time.Hour

// leaveUnanswered issues an invoice and stops the server before the authority's
// answer. If sent is true, the authority has received the invoice.
func leaveUnanswered(t *testing.T, sim *servicetest.Authority, actual *trueTime, engine servicetest.Engine, sent bool) (data, database string, shop *servicetest.Seller, id uuid.UUID) {
	t.Helper()
	h := sim.Open(t, func(c *server.Config) { engine.Set(t, c); actual.use(c); c.Sending.Paused = !sent })
	shop = h.OnboardedSeller()
	sim.Mood(`{"drop_after": "100%"}`)
	id = shop.Created(shop.Simplified())
	servicetest.Eventually(t, "an attempt", func() bool {
		tries := shop.Attempts(id)
		return !sent || len(tries) > 0 && tries[0].Outcome != ""
	})
	h.HTTP.Close()
	h.Service.Close()
	sim.Mood(`{"name":"polite"}`)
	return h.Data, h.Database, shop, id
}

// A document that was sent recently is not stopped because of its age if the
// clock is a year ahead at the start.
func TestClockAheadAtTheStartStopsNothing(t *testing.T) {
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			actual := newTrueTime(time.Now)
			sim := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
			data, database, shop, id := leaveUnanswered(t, sim, actual, engine, true)
			actual.set(year)
			way := proxyTo(t, sim.URL, 100*time.Millisecond) // long enough for many sweeps
			h := sim.Open(t, func(c *server.Config) {
				actual.use(c)
				c.Data, c.Database, c.AuthorityURL = data, database, way.url
			})
			shop.Instance = h.Instance
			servicetest.Eventually(t, "the answer", func() bool { return shop.Status(id).Final() })
			servicetest.Equal(t, "stopped", stops(h, t), 0)
			sim.AcceptedOnce([]uuid.UUID{id})
		})
	}
}

// Retry times computed with a wrong clock do not delay a document once the
// authority's time is known.
func TestClockAheadAtTheStartOffline(t *testing.T) {
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			actual := newTrueTime(time.Now)
			sim := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
			data, database, shop, id := leaveUnanswered(t, sim, actual, engine, false)
			actual.set(year)
			way := proxyTo(t, sim.URL, 0)
			way.close()
			h := sim.Open(t, func(c *server.Config) {
				actual.use(c)
				c.Data, c.Database, c.AuthorityURL = data, database, way.url
				c.Sending.RetryFirst, c.Sending.RetryMost = time.Hour, time.Hour
			})
			shop.Instance = h.Instance
			servicetest.Eventually(t, "an attempt by the wrong clock", func() bool {
				tries := shop.Attempts(id)
				return len(tries) > 0 && tries[0].Outcome != "" && tries[0].ClaimedAt.After(actual.Now().Add(year/2))
			})
			way.open()
			actual.advance(2 * time.Minute) // until the authority is asked again
			servicetest.Eventually(t, "the answer", func() bool { return shop.Status(id).Final() })
			servicetest.Equal(t, "stopped", stops(h, t), 0)
			sim.AcceptedOnce([]uuid.UUID{id})
		})
	}
}

// A document that may have been received is not sent again while the clock is
// unconfirmed: the authority may no longer recognise it as a duplicate.
func TestClockBehindAtTheStartSendsNothingInDoubt(t *testing.T) {
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			actual := newTrueTime(time.Now)
			sim := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
			data, database, shop, id := leaveUnanswered(t, sim, actual, engine, true)
			actual.advance(25 * time.Hour)
			actual.set(-25 * time.Hour)
			way := proxyTo(t, sim.URL, 0)
			way.close()
			h := sim.Open(t, func(c *server.Config) {
				actual.use(c)
				c.Data, c.Database, c.AuthorityURL = data, database, way.url
			})
			shop.Instance = h.Instance
			before := len(shop.Attempts(id))
			second := h.OnboardedSeller()
			other := second.Created(second.Simplified())
			servicetest.Eventually(t, "an attempt of another document", func() bool { return len(second.Attempts(other)) > 0 })
			way.open()
			servicetest.Eventually(t, "another attempt", func() bool { return len(second.Attempts(other)) > 3 || second.Status(other).Final() })
			actual.advance(time.Minute) // until the authority is asked again
			servicetest.Eventually(t, "the answer to the other document", func() bool { return second.Status(other).Final() })
			actual.set(0)
			servicetest.Eventually(t, "the stop of the document in doubt", func() bool { return stops(h, t) == 1 })
			servicetest.Equal(t, "attempts", len(shop.Attempts(id)), before)
		})
	}
}

// stops returns the number of documents that are sent again only on request.
func stops(s *servicetest.Sending, t *testing.T) int {
	t.Helper()
	backlog, err := s.Service.Store().Backlog(t.Context(), s.Service.Now())
	if err != nil {
		t.Fatal(err)
	}
	return backlog.Stopped
}

// A server waits for the time of a slow authority before it serves requests.
func TestClockThatASlowAuthorityContradicts(t *testing.T) {
	t.Parallel()
	actual := newTrueTime(time.Now)
	sim := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now})
	way := proxyTo(t, sim.URL, 1200*time.Millisecond)
	actual.set(year)
	r := servicetest.Run(t, func(c *server.Config) { actual.use(c); c.AuthorityURL = way.url })
	if a := r.Ask("/readyz/issuing"); !r.Service.TimeKnown() || a.Status != http.StatusServiceUnavailable || !strings.Contains(a.Body, "ahead of the tax authority's") {
		t.Errorf("/readyz/issuing with a wrong clock: got %d %s, want 503 with the difference from the authority", a.Status, a.Body)
	}
}
