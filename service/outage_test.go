package service_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
)

// cable is the way from a service to its PostgreSQL, which a test can cut.
type cable struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	cut   bool
	still bool // nothing gets through, and nobody is told
	conns []net.Conn
}

// lay lays a cable to the database of an address and gives the address at its
// other end.
func lay(t *testing.T, database string) (*cable, string) {
	t.Helper()
	at, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{listener: listener, to: at.Host}
	var carried sync.WaitGroup
	carried.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			carried.Go(func() { c.carry(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		c.set(true)
		carried.Wait()
	})
	at.Host = listener.Addr().String()
	return c, at.String()
}

func (c *cable) carry(near net.Conn) {
	defer func() { _ = near.Close() }()
	far, err := net.Dial("tcp", c.to)
	if err != nil || !c.hold(near, far) {
		return
	}
	defer func() { _ = far.Close() }()
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(far, cableEnd{near, c}); _ = far.Close() })
	both.Go(func() { _, _ = io.Copy(near, cableEnd{far, c}); _ = near.Close() })
	both.Wait()
}

// cableEnd is an end of a cable: what is read from it arrives when nothing holds the
// cable still.
type cableEnd struct {
	net.Conn
	cable *cable
}

func (e cableEnd) Read(p []byte) (int, error) {
	n, err := e.Conn.Read(p)
	for e.cable.holds() {
		time.Sleep(5 * time.Millisecond)
	}
	return n, err
}

func (c *cable) holds() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.still && !c.cut
}

// stall has packets vanish, or lets them through again.
func (c *cable) stall(still bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.still = still
}

// hold remembers two ends, to cut them later. It says no if that was done.
func (c *cable) hold(near, far net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cut {
		_ = far.Close()
		return false
	}
	c.conns = append(c.conns, near, far)
	return true
}

// set cuts the cable, or joins it again.
func (c *cable) set(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
}

func TestInterface_7_2_DatabaseIsAway(t *testing.T) {
	wire, address := lay(t, storetest.Postgres(t).URL)
	h := open(t, func(c *server.Config) { c.Database = address })
	token := h.session("Admin", h.org)
	h.clerkEmail() // who signs in has an account before
	shop := h.till()
	own := shop.stockOf(h.key)
	calls := func(want func(operation string) int) {
		t.Helper()
		for _, row := range h.service.Rows() {
			operation := row.Method + " " + row.Path
			callers := map[string]func(*http.Request){"key": bearer(h.key), "session": bearer(token)}
			switch row.Base() {
			case "/v1":
			case "/app":
				if row.Method != http.MethodGet {
					continue // what they do is done once; see below
				}
				delete(callers, "key")
			default:
				continue
			}
			for name, show := range callers {
				began := time.Now()
				got := h.send(row.Method, own.at(row), show, body(shop, operation))
				if got.status != want(operation) {
					t.Errorf("%s by %s: got %d %.200s, want %d", operation, name, got.status, got.body, want(operation))
				}
				if got.status == http.StatusServiceUnavailable && (got.header.Get("Retry-After") == "" || time.Since(began) > 5*time.Second) {
					t.Errorf("%s by %s: after %s with the headers %v", operation, name, time.Since(began), got.header)
				}
			}
		}
	}
	there := func(operation string) int { return rights[operation].status }
	away := func(operation string) int {
		if rights[operation].public && operation != "GET /api/plans/" {
			return http.StatusOK // lists of the program, and a counter that is away lets in
		}
		return http.StatusServiceUnavailable
	}
	calls(there)
	wire.set(true)
	calls(away)
	for _, row := range h.service.Rows() {
		if row.Base() == "/app" {
			if got := h.send(row.Method, own.at(row), bearer(token), body(shop, row.Method+" "+row.Path)); got.status != http.StatusServiceUnavailable {
				t.Errorf("%s %s: got %d %.200s", row.Method, row.Path, got.status, got.body)
			}
		}
	}
	noSuchPath.wants(t, "a path that leads nowhere", h.call(http.MethodGet, "/v1/nowhere/", ""))
	ready := h.ask("/readyz")
	if live := h.ask("/livez"); ready.status != http.StatusServiceUnavailable || live.status != http.StatusOK {
		t.Errorf("readyz says %d, livez %d", ready.status, live.status)
	}
	wire.set(false)
	becomes(t, "issuing goes on", func() bool { return h.ask("/readyz/issuing").status == http.StatusOK })
	calls(there)
}
