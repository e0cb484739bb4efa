package pgtest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/store/pgtest"
)

// script runs a line of shell under scripts/with-postgres and returns its
// output and exit status.
func script(t *testing.T, line string, environment ...string) (output string, status int) {
	t.Helper()
	run := exec.Command("../../../../scripts/with-postgres", "sh", "-c", line)
	run.Env = append(os.Environ(), environment...)
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return string(out), run.ProcessState.ExitCode()
}

// openFolder returns a folder that every user can enter, unlike t.TempDir: the
// owner of a cluster may be another user.
func openFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "with-postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestScriptKeepsAddress(t *testing.T) {
	t.Parallel()
	const address = "postgres://elsewhere/db"
	output, status := script(t, `echo "$KHATM_TEST_POSTGRES"; exit 3`, "KHATM_TEST_POSTGRES="+address, "KHATM_ONLY_GO=")
	if output != address+"\n" || status != 3 {
		t.Errorf("script printed %q with status %d, want %q with status 3", output, status, address+"\n")
	}
}

func TestScriptLeavesNothing(t *testing.T) {
	t.Parallel()
	pgtest.URL(t) // skip without PostgreSQL
	cases := []struct {
		name, line string
		status     int
	}{
		{"after failure", `exit 7`, 7},
		{"after SIGINT", `kill -INT $PPID`, 128 + 2},
		{"after SIGTERM", `kill -TERM $PPID`, 128 + 15},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := openFolder(t)
			output, status := script(t, `echo "$KHATM_TEST_POSTGRES"; ls "$TMPDIR"; `+c.line,
				"KHATM_TEST_POSTGRES=", "TMPDIR="+dir)
			if status != c.status {
				t.Errorf("exit status of the script = %d, want %d", status, c.status)
			}
			address, inside, _ := strings.Cut(output, "\n")
			if !strings.HasPrefix(inside, "khatm-postgres.") {
				t.Errorf("folder during the command contains %q, want khatm-postgres.*", inside)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) > 0 {
				t.Errorf("folder after the command contains %v, %v, want nothing", left, err)
			}
			if _, err := pgx.Connect(context.Background(), address); err == nil {
				t.Errorf("the server still accepts connections at %s, want it stopped", address)
			}
		})
	}
}

// TestScriptKeepsData checks that a cluster in KHATM_POSTGRES_DATA is used again
// and that its server ends with the command.
func TestScriptKeepsData(t *testing.T) {
	t.Parallel()
	pgtest.URL(t) // skip without PostgreSQL
	dir := openFolder(t)
	run := func() (address string, made time.Time) {
		t.Helper()
		output, status := script(t, `echo "$KHATM_TEST_POSTGRES"`, "KHATM_TEST_POSTGRES=", "KHATM_POSTGRES_DATA="+dir)
		if status != 0 {
			t.Fatalf("exit status of the script = %d, want 0", status)
		}
		info, err := os.Stat(filepath.Join(dir, "data", "PG_VERSION"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(output), info.ModTime()
	}
	address, made := run()
	if _, err := pgx.Connect(context.Background(), address); err == nil {
		t.Errorf("the server still accepts connections at %s, want it stopped", address)
	}
	if _, again := run(); !again.Equal(made) {
		t.Errorf("the second run made a new cluster at %s, want that of %s", again, made)
	}
}
