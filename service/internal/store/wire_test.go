package store_test

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/store"
)

// wire is a proxy between a store and PostgreSQL that can be cut and mended.
type wire struct {
	t       testing.TB
	address string // address of the proxy
	server  string // address of PostgreSQL

	mu       sync.Mutex
	listener net.Listener
	open     map[net.Conn]bool
	ended    sync.WaitGroup
}

// throughWire puts a proxy in front of a database.
func throughWire(t testing.TB, c store.Config) (store.Config, *wire) {
	t.Helper()
	u, err := url.Parse(c.URL)
	ok(t, err)
	w := &wire{t: t, address: testtool.Loopback(), server: u.Host, open: map[net.Conn]bool{}}
	w.mend()
	t.Cleanup(w.cut)
	u.Host = w.address
	c.URL = u.String()
	return c, w
}

// mend starts to forward connections.
func (w *wire) mend() {
	w.t.Helper()
	listener, err := net.Listen("tcp", w.address)
	ok(w.t, err)
	w.mu.Lock()
	w.listener, w.address = listener, listener.Addr().String()
	w.mu.Unlock()
	w.ended.Go(func() {
		for {
			here, err := listener.Accept()
			if err != nil {
				return
			}
			there, err := net.Dial("tcp", w.server)
			if err != nil {
				_ = here.Close()
				continue
			}
			w.join(here, there)
			w.join(there, here)
		}
	})
}

func (w *wire) join(from, to net.Conn) {
	w.mu.Lock()
	w.open[from] = true
	w.mu.Unlock()
	w.ended.Go(func() {
		_, _ = io.Copy(to, from)
		_, _ = to.Close(), from.Close()
		w.mu.Lock()
		delete(w.open, from)
		w.mu.Unlock()
	})
}

// cut closes all connections and accepts no more.
func (w *wire) cut() {
	w.mu.Lock()
	_ = w.listener.Close()
	for c := range w.open {
		_ = c.Close()
	}
	w.mu.Unlock()
	w.ended.Wait()
}
