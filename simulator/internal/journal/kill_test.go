package journal_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"khatm/simulator/internal/journal"
)

// victim is the environment variable that makes the test binary run as the
// process to be killed: it accepts documents in a loop and prints the number of
// each after its record is written.
const victim = "KHATM_TEST_JOURNAL"

func TestMain(m *testing.M) {
	path := os.Getenv(victim)
	if path == "" {
		os.Exit(m.Run())
	}
	j, err := journal.Open(journal.Config{Path: path, Now: newClock().Now})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for n := int(j.Opened.Records) + 1; ; n++ {
		if _, _, err := j.Accept(submission(n), []byte(fmt.Sprintf("answer %d", n))); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(n)
	}
}

// TestKilled checks that every document that a process printed before it was
// killed is known to the next process.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for round := range 5 {
		said = killAfter(t, self, path, said, 50+37*round)
		j := open(t, path, newClock())
		if j.Opened.Records < int64(said) || j.Opened.Lost != 0 {
			t.Fatalf("round %d: Opened = %+v, want at least %d records and none lost", round, j.Opened, said)
		}
		for n := 1; n <= said; n++ {
			r, found, err := j.Lookup("production", hashOf(n))
			if err != nil || !found {
				t.Fatalf("document %d: found is %v, want true (error: %v)", n, found, err)
			}
			if answer, err := j.Answer(r); err != nil || string(answer) != fmt.Sprintf("answer %d", n) {
				t.Fatalf("saved answer is %q, want answer %d (error: %v)", answer, n, err)
			}
		}
		report, err := j.Audit(nil)
		if err != nil || !report.Rows[0].Sound() {
			t.Fatalf("audit report = %+v, want no faults (error: %v)", report, err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// killAfter starts the process, kills it after it has printed the given number
// of further documents, and returns the last number it printed.
func killAfter(t *testing.T, self, path string, said, more int) int {
	t.Helper()
	command := exec.Command(self)
	command.Env = append(os.Environ(), victim+"="+path)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for count := 0; lines.Scan(); count++ {
		n, err := strconv.Atoi(strings.TrimSpace(lines.Text()))
		if err != nil {
			t.Errorf("the process printed %q, want a number", lines.Text())
			break
		}
		said = n
		if count == more {
			if err := command.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	_ = command.Wait() // it was killed
	return said
}
