package server_test

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

	"khatm/internal/testtool"
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
	r := &proxy{t: t, address: testtool.Loopback(), latency: latency}
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

// unanswered is an invoice without the authority's answer, and the database of its
// server, which is stopped.
type unanswered struct {
	sim            *servicetest.Authority
	actual         *trueTime
	data, database string
	shop           *servicetest.Seller
	id             uuid.UUID
}

// eachUnanswered runs a test with an invoice that has no answer, with PostgreSQL
// only under testtool.All. sent tells whether the authority received it.
func eachUnanswered(t *testing.T, sent bool, test func(t *testing.T, u *unanswered)) {
	t.Helper()
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			actual := newTrueTime(time.Now)
			u := &unanswered{sim: servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1, Now: actual.Now}), actual: actual}
			u.issue(t, engine, sent)
			test(t, u)
		})
	}
}

// issue issues the invoice and stops the server before the authority's answer.
func (u *unanswered) issue(t *testing.T, engine servicetest.Engine, sent bool) {
	t.Helper()
	h := u.sim.Open(t, func(c *server.Config) { engine.Set(t, c); u.actual.use(c); c.Sending.Paused = !sent })
	u.data, u.database, u.shop = h.Data, h.Database, h.OnboardedSeller()
	u.sim.Mood(`{"drop_after": "100%"}`)
	u.id = u.shop.Created(u.shop.Simplified())
	servicetest.Eventually(t, "an attempt", func() bool {
		tries := u.shop.Attempts(u.id)
		return !sent || len(tries) > 0 && tries[0].Outcome != ""
	})
	h.HTTP.Close()
	h.Service.Close()
	u.sim.Mood(`{"name":"polite"}`)
}

// serve starts the server again. It reaches the authority through way.
func (u *unanswered) serve(t *testing.T, way *proxy, retry time.Duration) *servicetest.Sending {
	t.Helper()
	h := u.sim.Open(t, func(c *server.Config) {
		u.actual.use(c)
		c.Data, c.Database, c.AuthorityURL = u.data, u.database, way.url
		if retry > 0 {
			c.Sending.RetryFirst, c.Sending.RetryMost = retry, retry
		}
	})
	u.shop.Instance = h.Instance
	return h
}

// wantAnswer waits for the authority's answer to the invoice, which must not have
// been stopped before.
func (u *unanswered) wantAnswer(t *testing.T, h *servicetest.Sending) {
	t.Helper()
	servicetest.Eventually(t, "the answer", func() bool { return u.shop.Status(u.id).Final() })
	servicetest.Equal(t, "stopped", stops(h, t), 0)
	u.sim.AcceptedOnce([]uuid.UUID{u.id})
}

// A document that was sent recently is not stopped because of its age if the
// clock is a year ahead at the start.
func TestClockAheadAtTheStartStopsNothing(t *testing.T) {
	eachUnanswered(t, true, func(t *testing.T, u *unanswered) {
		u.actual.set(year)
		way := proxyTo(t, u.sim.URL, 100*time.Millisecond) // long enough for many sweeps
		u.wantAnswer(t, u.serve(t, way, 0))
	})
}

// Retry times computed with a wrong clock do not delay a document once the
// authority's time is known.
func TestClockAheadAtTheStartOffline(t *testing.T) {
	eachUnanswered(t, false, func(t *testing.T, u *unanswered) {
		u.actual.set(year)
		way := proxyTo(t, u.sim.URL, 0)
		way.close()
		h := u.serve(t, way, time.Hour)
		servicetest.Eventually(t, "an attempt by the wrong clock", func() bool {
			tries := u.shop.Attempts(u.id)
			return len(tries) > 0 && tries[0].Outcome != "" && tries[0].ClaimedAt.After(u.actual.Now().Add(year/2))
		})
		way.open()
		u.actual.advance(2 * time.Minute) // until the authority is asked again
		u.wantAnswer(t, h)
	})
}

// A document that may have been received is not sent again while the clock is
// unconfirmed: the authority may no longer recognise it as a duplicate.
func TestClockBehindAtTheStartSendsNothingInDoubt(t *testing.T) {
	eachUnanswered(t, true, func(t *testing.T, u *unanswered) {
		u.actual.advance(25 * time.Hour)
		u.actual.set(-25 * time.Hour)
		way := proxyTo(t, u.sim.URL, 0)
		way.close()
		h := u.serve(t, way, 0)
		before := len(u.shop.Attempts(u.id))
		second := h.OnboardedSeller()
		other := second.Created(second.Simplified())
		servicetest.Eventually(t, "an attempt of another document", func() bool { return len(second.Attempts(other)) > 0 })
		way.open()
		servicetest.Eventually(t, "another attempt", func() bool { return len(second.Attempts(other)) > 3 || second.Status(other).Final() })
		u.actual.advance(time.Minute) // until the authority is asked again
		servicetest.Eventually(t, "the answer to the other document", func() bool { return second.Status(other).Final() })
		u.actual.set(0)
		servicetest.Eventually(t, "the stop of what is in doubt", func() bool { return stops(h, t) == 1 })
		servicetest.Equal(t, "attempts", len(u.shop.Attempts(u.id)), before)
	})
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
