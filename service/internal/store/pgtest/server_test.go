package pgtest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"khatm/service/internal/store/pgtest"
)

// Whoever uses this package may look for goroutines that were left behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// again runs one test of this binary in a process of its own, which is told of
// no server; the last value of a variable counts.
func again(test string, environment ...string) *exec.Cmd {
	process := exec.Command(os.Args[0], "-test.v", "-test.run=^"+test+"$")
	process.Env = append(os.Environ(), "KHATM_TEST_POSTGRES=")
	process.Env = append(process.Env, environment...)
	return process
}

func TestWithoutPostgreSQL(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, strict, want string }{
		{"a test is skipped", "", "--- SKIP: TestServerIsLikeOneInUse"},
		{"a strict test fails", "1", "--- FAIL: TestServerIsLikeOneInUse"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			said, err := again("TestServerIsLikeOneInUse",
				"KHATM_STRICT="+c.strict, "KHATM_POSTGRES_BIN="+t.TempDir()).CombinedOutput()
			if failed := errors.As(err, new(*exec.ExitError)); failed != (c.strict == "1") {
				t.Errorf("ended with %v", err)
			}
			for _, want := range []string{c.want, "PostgreSQL is not here"} {
				if !strings.Contains(string(said), want) {
					t.Errorf("said %s\nwant %q", said, want)
				}
			}
		})
	}
}

// TestHold is the other process of TestServerDiesWithTheProcess.
func TestHold(t *testing.T) {
	if os.Getenv("PGTEST_HOLD") == "" {
		t.Skip("nobody asked")
	}
	fmt.Println(pgtest.URL(t))
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func TestServerDiesWithTheProcess(t *testing.T) {
	t.Parallel()
	pgtest.URL(t) // or there is nothing to test with
	process := again("TestHold", "PGTEST_HOLD=1")
	stdout, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	// The script inherits the standard error; when all have left it, it is done.
	stderr, err := process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := process.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	url := addressIn(t, stdout)
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if said, err := io.ReadAll(stderr); err != nil || len(said) > 0 {
		t.Errorf("said %s, %v", said, err)
	}
	if err := process.Wait(); err == nil {
		t.Error("the process was not killed")
	}
	if _, err := pgx.Connect(context.Background(), url); err == nil {
		t.Errorf("the server of a killed process still answers at %s", url)
	}
}

// addressIn finds the line with an address in what a test prints.
func addressIn(t *testing.T, printed io.Reader) string {
	t.Helper()
	lines := bufio.NewScanner(printed)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "postgres://") {
			return lines.Text()
		}
	}
	t.Fatalf("no address was printed: %v", lines.Err())
	return ""
}
