package listentest

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Callers is a group of clients that repeat a request on raw connections until the
// port refuses connections.
type Callers struct {
	Address string
	Request string      // a GET with its headers, and without an empty line at the end
	Keep    bool        // use a connection until the server closes it
	TLS     *tls.Config // nil for plain HTTP

	Answered atomic.Int64 // complete responses

	mu   sync.Mutex
	lost []string
	all  sync.WaitGroup
}

// Start starts n clients.
func (c *Callers) Start(n int) {
	for range n {
		c.all.Go(c.run)
	}
}

// Wait waits for the port to refuse connections and returns how requests ended
// that were neither answered nor refused.
func (c *Callers) Wait() []string {
	c.all.Wait()
	return c.lost
}

func (c *Callers) run() {
	for {
		conn, err := net.DialTimeout("tcp", c.Address, Patience)
		switch {
		case errors.Is(err, syscall.ECONNREFUSED):
			return
		case err != nil:
			c.lose(fmt.Errorf("connect: %w", err))
			return
		}
		if c.TLS != nil {
			conn = tls.Client(conn, c.TLS)
		}
		err = c.use(conn)
		_ = conn.Close()
		if err != nil {
			c.lose(err)
			return
		}
	}
}

// use sends requests on a connection until one of them closes it.
func (c *Callers) use(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(Patience)); err != nil {
		return err
	}
	reader := bufio.NewReader(conn)
	head := c.Request + "\r\nConnection: close\r\n\r\n"
	if c.Keep {
		head = c.Request + "\r\n\r\n"
	}
	for n := 0; ; n++ {
		if _, err := io.WriteString(conn, head); err != nil {
			return fmt.Errorf("send request %d of the connection: %w", n, err)
		}
		got, err := ReadAnswer(reader, http.MethodGet)
		if err != nil {
			return fmt.Errorf("request %d of the connection: %w", n, err)
		}
		if got.Status != http.StatusOK {
			return fmt.Errorf("request %d of the connection: status %d %s", n, got.Status, got.Body)
		}
		c.Answered.Add(1)
		if got.Header.Get("Connection") == "close" {
			return nil
		}
		if rand.N(4) == 0 {
			time.Sleep(rand.N(20 * time.Millisecond))
		}
	}
}

func (c *Callers) lose(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = append(c.lost, err.Error())
}
