package servicetest

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// Link is a TCP proxy between a service and PostgreSQL that a test can
// interrupt.
type Link struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	cut   bool
	still bool // hold back all data without closing connections
	conns []net.Conn
}

// NewLink starts a proxy to a database and returns it with the URL to use
// instead.
func NewLink(t *testing.T, database string) (*Link, string) {
	t.Helper()
	at, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &Link{listener: listener, to: at.Host}
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
		c.Set(true)
		carried.Wait()
	})
	at.Host = listener.Addr().String()
	return c, at.String()
}

func (c *Link) carry(near net.Conn) {
	defer func() { _ = near.Close() }()
	far, err := net.Dial("tcp", c.to)
	if err != nil || !c.hold(near, far) {
		return
	}
	defer func() { _ = far.Close() }()
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(far, linkEnd{near, c}); _ = far.Close() })
	both.Go(func() { _, _ = io.Copy(near, linkEnd{far, c}); _ = near.Close() })
	both.Wait()
}

// linkEnd is a connection whose reads wait while the link is stalled.
type linkEnd struct {
	net.Conn
	link *Link
}

func (e linkEnd) Read(p []byte) (int, error) {
	n, err := e.Conn.Read(p)
	for e.link.holds() {
		time.Sleep(5 * time.Millisecond)
	}
	return n, err
}

func (c *Link) holds() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.still && !c.cut
}

// Stall holds back all data, or lets it through again.
func (c *Link) Stall(still bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.still = still
}

// hold stores two connections, so that Set can close them. It returns false if
// the link is cut.
func (c *Link) hold(near, far net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cut {
		_ = far.Close()
		return false
	}
	c.conns = append(c.conns, near, far)
	return true
}

// Set cuts the link, or restores it.
func (c *Link) Set(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
}
