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

// Tests that use this package may check for leaked goroutines, so it must not
// leak any.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction(pgtest.IdleReader)) }

// testProcess returns a command that runs one test of this binary in another
// process without KHATM_TEST_POSTGRES, unless environment sets it.
func testProcess(test string, environment ...string) *exec.Cmd {
	process := exec.Command(os.Args[0], "-test.v", "-test.run=^"+test+"$")
	process.Env = append(os.Environ(), "KHATM_TEST_POSTGRES=")
	process.Env = append(process.Env, environment...)
	return process
}

func TestWithoutPostgreSQL(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, strict, want string }{
		{"skipped by default", "", "--- SKIP: TestServerHasProductionSettings"},
		{"fails with KHATM_STRICT", "1", "--- FAIL: TestServerHasProductionSettings"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			output, err := testProcess("TestServerHasProductionSettings",
				"KHATM_STRICT="+c.strict, "KHATM_POSTGRES_BIN="+t.TempDir()).CombinedOutput()
			if failed := errors.As(err, new(*exec.ExitError)); failed != (c.strict == "1") {
				t.Errorf("test without PostgreSQL ended with %v, want a failure: %t", err, c.strict == "1")
			}
			for _, want := range []string{c.want, "PostgreSQL was not found"} {
				if !strings.Contains(string(output), want) {
					t.Errorf("output of a test without PostgreSQL = %s\nwant %q", output, want)
				}
			}
		})
	}
}

// TestHold is the child process of TestServerDiesWithTheProcess.
func TestHold(t *testing.T) {
	if os.Getenv("PGTEST_HOLD") == "" {
		t.Skip("only run by TestServerDiesWithTheProcess")
	}
	fmt.Println(pgtest.URL(t))
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func TestServerDiesWithTheProcess(t *testing.T) {
	t.Parallel()
	pgtest.URL(t) // skip without PostgreSQL
	process := testProcess("TestHold", "PGTEST_HOLD=1")
	stdout, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	// The script inherits the standard error, which is closed when all
	// processes have ended.
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
	if output, err := io.ReadAll(stderr); err != nil || len(output) > 0 {
		t.Errorf("standard error of the killed process = %q, %v, want nothing", output, err)
	}
	if err := process.Wait(); err == nil {
		t.Error("Wait for the killed process succeeded, want an error")
	}
	if _, err := pgx.Connect(context.Background(), url); err == nil {
		t.Errorf("the server of a killed process still accepts connections at %s, want it stopped", url)
	}
}

// addressIn returns the line with an address in the output of a test.
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
