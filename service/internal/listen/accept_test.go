package listen_test

import (
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/listen"
	"khatm/service/internal/listen/listentest"
)

// fewVariable makes this test binary the server of the next test.
const fewVariable = "KHATM_TEST_FEW_FILES"

// Accepts that fail because too many files are open are logged as errors, once a
// minute, and the server works again when files are closed.
func TestFailedAcceptsAreLogged(t *testing.T) {
	if os.Getenv(fewVariable) == "" {
		t.Parallel()
		again := testtool.Self(t, fewVariable, "1")
		again.Args = append(again.Args, "-test.run=^"+t.Name()+"$")
		if out, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	r := serve(t, ok)
	limited := syscall.Rlimit{Cur: 40, Max: 40}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limited); err != nil {
		t.Fatal(err)
	}
	var open []net.Conn
	for range 60 {
		conn, err := net.Dial("tcp", r.Addr().String())
		if err != nil {
			break // this process, too, has no more files
		}
		open = append(open, conn)
	}
	for end := time.Now().Add(listentest.Patience); strings.Count(r.log.String(), "cannot accept") == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no failure was logged with %d connections", len(open))
		}
	}
	time.Sleep(100 * time.Millisecond) // for more failures, which are not logged
	if log := r.log.String(); strings.Count(log, `"level":"ERROR"`) != 1 || !strings.Contains(log, "too many open files") || !strings.Contains(log, "ulimit -n") {
		t.Errorf("log = %s, want one error about open files", log)
	}
	for _, one := range open {
		_ = one.Close()
	}
	conn, reader := r.dial()
	say(t, conn, "GET / HTTP/1.1\r\nHost: khatm\r\n\r\n")
	if got, err := listentest.ReadAnswer(reader, http.MethodGet); err != nil || got.Status != http.StatusOK {
		t.Errorf("response %+v, %v; want 200", got, err)
	}
	r.stop()
}

func TestNewOnAnAddressThatIsTaken(t *testing.T) {
	t.Parallel()
	r := serve(t, ok)
	defer r.stop()
	_, err := listen.New(t.Context(), listen.Config{Address: r.Addr().String(), HTTP: &http.Server{}})
	if !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("New returned %v, want that the address is in use", err)
	}
}
