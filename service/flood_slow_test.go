package service_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// slowly opens a connection from the address of the organisation that floods, with a
// small receive buffer, sends a text and reads nothing.
func (f *flooded) slowly(text string) net.Conn {
	f.t.Helper()
	dialer := &net.Dialer{
		LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.2")},
		Control: func(_, _ string, c syscall.RawConn) error {
			return c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 2048) })
		},
	}
	conn, err := dialer.DialContext(f.t.Context(), "tcp", f.server.address)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = conn.Close() })
	if _, err := conn.Write([]byte(text)); err != nil {
		f.t.Fatal(err)
	}
	return conn
}

// otherWorks reads and creates as the other organisation.
func (f *flooded) otherWorks() {
	f.t.Helper()
	for range 3 {
		f.otherCall(http.MethodGet, servicetest.UsagePath, "", http.StatusOK)
		note := servicetest.Note(fmt.Sprint("small invoice ", f.creates.Add(1)))
		f.otherCall(http.MethodPost, f.otherShop.Address, f.otherShop.Simplified(servicetest.SuppliedToday(), servicetest.Fields{"notes": note}), http.StatusAccepted)
	}
}

// TestSlowClientsDelayNoOthers checks that callers who announce large bodies and do not
// send them, or do not read their responses, take nothing from others.
func TestSlowClientsDelayNoOthers(t *testing.T) {
	t.Parallel()
	f := newFlooded(t, 4, 4000)
	// An organisation, and its address without credentials, can each have half of the
	// memory for bodies.
	c := server.Defaults()
	c.Memory = int64(floodMemory()) << 20
	const headers = "Host: x\r\nContent-Length: %d\r\nContent-Type: "
	for left := c.Heap() / 16; left > 0; left -= 4 << 20 {
		length := min(left, 4<<20)
		f.slowly(fmt.Sprintf("POST /v1/api/invoices/preview/ HTTP/1.1\r\nAuthorization: Bearer "+f.key+"\r\n"+headers+"application/json\r\n\r\n{", length))
		f.slowly(fmt.Sprintf("POST /v1-3/api/public/parse-invoice/ HTTP/1.1\r\n"+headers+"multipart/form-data; boundary=x\r\n\r\n--x", length))
	}
	f.otherWorks()
	var unread []net.Conn
	for range 60 {
		unread = append(unread, f.slowly("GET /v1/api/invoices/?page_size=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+f.key+"\r\n\r\n"))
	}
	for range 14 { // until the responses are encoded
		f.otherWorks()
		time.Sleep(500 * time.Millisecond)
	}
	line, err := bufio.NewReader(unread[0]).ReadString('\n')
	if err != nil || line != "HTTP/1.1 200 OK\r\n" && line != "HTTP/1.1 503 Service Unavailable\r\n" {
		t.Errorf("the first unread response begins with %q, %v; want 200 or 503", line, err)
	}
	if peak := f.server.peak(t); peak > floodMemory() {
		t.Errorf("the server used %d MiB, want at most %d", peak, floodMemory())
	}
}
