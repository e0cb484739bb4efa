package server_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// freePort returns an address with a port that was free a moment ago.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// get calls the operations listener.
func get(t *testing.T, address, path string) (status int, text string) {
	t.Helper()
	response, err := http.Get("http://" + address + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestR11_RequestsUnderWayFinish(t *testing.T) {
	operations := freePort(t)
	r := servicetest.Run(t, func(c *server.Config) { c.Operations = operations })
	client := r.Client(r.Org, "Al Noor").ID.String()
	if status, text := get(t, operations, "/readyz"); status != http.StatusOK || text != "ok\n" {
		t.Errorf("/readyz: got %d %q, want 200 ok", status, text)
	}
	body := `{"city":"Jeddah"}`
	slow := r.Dial()
	if _, err := fmt.Fprintf(slow, "PATCH /v1/api/buyers/%s/ HTTP/1.1\r\nHost: khatm\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", client, r.Key, len(body), body[:5]); err != nil {
		t.Fatal(err)
	}
	underWay(r)
	idle := idle(r)
	began := time.Now()
	r.Stop()
	status, text := http.StatusOK, ""
	for status == http.StatusOK && time.Since(began) < servicetest.Patience {
		status, text = get(t, operations, "/readyz")
	}
	if status != http.StatusServiceUnavailable || text != "stopping\n" {
		t.Errorf("/readyz: got %d %q, want 503 stopping", status, text)
	}
	if status, text := get(t, operations, "/livez"); status != http.StatusOK || text != "ok\n" {
		t.Errorf("/livez: got %d %q, want 200 ok", status, text)
	}
	for { // the listener closes right after /readyz changes
		conn, err := net.Dial("tcp", r.Address)
		if errors.Is(err, syscall.ECONNREFUSED) {
			break
		}
		if err == nil {
			_ = conn.Close()
		}
		if time.Since(began) > servicetest.Patience {
			t.Fatal("the listener still accepts connections")
		}
	}
	select {
	case err := <-r.Ended:
		t.Fatalf("Run returned with a request in progress: %v", err)
	default:
	}
	if _, err := io.WriteString(slow, body[5:]); err != nil {
		t.Fatal(err)
	}
	if got := r.Hear(slow, http.MethodPatch); len(got) != 1 || got[0].Status != http.StatusOK || !strings.Contains(got[0].Body, "Jeddah") {
		t.Errorf("responses to the request in progress = %+v, want one 200 with Jeddah", got)
	}
	if err := r.Wait(); err != nil || time.Since(began) > 10*time.Second {
		t.Errorf("Run returned %[2]v after %[1]s, want nil within 10s", time.Since(began), err)
	}
	if _, err := idle.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("idle connection ended with %v, want EOF", err)
	}
}

// underWay waits until the service has read the header of a request, by making
// a later request and waiting for its answer.
func underWay(r *servicetest.Running) {
	r.TB.Helper()
	for range 20 {
		if got := r.Say("GET " + servicetest.UsagePath + " HTTP/1.1\nHost: khatm\nConnection: close\n\n"); len(got) != 1 {
			r.TB.Fatalf("responses to the later request = %+v, want one", got)
		}
	}
}

// idle returns a connection with one answered request.
func idle(r *servicetest.Running) net.Conn {
	r.TB.Helper()
	conn := r.Dial()
	if _, err := io.WriteString(conn, "GET "+servicetest.UsagePath+" HTTP/1.1\r\nHost: khatm\r\n\r\n"); err != nil {
		r.TB.Fatal(err)
	}
	if _, err := servicetest.ReadAnswer(bufio.NewReader(conn), http.MethodGet); err != nil {
		r.TB.Fatal(err)
	}
	return conn
}

// When the service is stopped under load, every response that it sends arrives.
func TestR11_StopUnderLoad(t *testing.T) {
	r := servicetest.Run(t, nil)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	var heard, other atomic.Int64
	enough := make(chan struct{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+r.Address+servicetest.UsagePath, http.NoBody)
				if err != nil {
					t.Error(err)
					return
				}
				request.Header.Set("Authorization", "Bearer "+r.Key)
				response, err := client.Do(request)
				if err != nil {
					return // refused: the service has stopped
				}
				_, err = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
				if err != nil || response.StatusCode != http.StatusOK {
					other.Add(1)
				}
				if heard.Add(1) == 200 {
					close(enough)
				}
			}
		})
	}
	<-enough
	began := time.Now()
	r.Stop()
	if err := r.Wait(); err != nil || time.Since(began) > 10*time.Second {
		t.Errorf("Run returned %[2]v after %[1]s, want nil within 10s", time.Since(began), err)
	}
	all.Wait()
	answered := int64(strings.Count(r.Log.String(), `"operation":"get-usage","status":200`))
	if answered != heard.Load() || other.Load() > 0 {
		t.Errorf("%d responses sent, %d received, %d of them not 200; want all received with 200", answered, heard.Load(), other.Load())
	}
	t.Logf("%d calls; it stopped within %s", heard.Load(), time.Since(began))
}

func TestRunOnAnAddressThatIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for name, change := range map[string]func(*server.Config){
		"API":        func(c *server.Config) { c.Address = taken.Addr().String() },
		"operations": func(c *server.Config) { c.Address, c.Operations = "127.0.0.1:0", taken.Addr().String() },
	} {
		h := servicetest.Open(t, change)
		err := h.Service.Run(t.Context(), func(string) { t.Errorf("%s: ready was called", name) })
		if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), taken.Addr().String()) {
			t.Errorf("%s: Run = %v, want address in use", name, err)
		}
	}
}
