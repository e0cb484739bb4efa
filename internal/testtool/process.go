package testtool

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
)

// Self returns a command that runs the test binary again, with an environment
// variable that tells it what to do instead of the tests.
func Self(t testing.TB, variable, value string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), variable+"="+value)
	return command
}

// KillAfter runs a command, kills it after it has printed count lines, and returns
// all lines that it printed. The test fails if it prints a line that is not valid.
func KillAfter(t testing.TB, command *exec.Cmd, count int, valid func(line string) bool) (printed []string) {
	t.Helper()
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if !valid(lines.Text()) {
			t.Errorf("the process printed %q", lines.Text())
			_ = command.Process.Kill()
			break
		}
		printed = append(printed, lines.Text())
		if len(printed) == count {
			if err := command.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	_ = command.Wait() // fails, because it was killed
	return printed
}
