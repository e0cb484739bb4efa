// Command testrun runs go test for the Makefile and prints a short report of its
// output.
//
//	testrun test [ARGUMENT...]
//	testrun timeout
//
// testrun test passes the arguments to go test, with the packages whose tests take
// longest first. It prints the ok line of each package that passes, the whole output
// of failed tests, and at the end the slowest tests. The exit status is that of go
// test.
//
// With KHATM_RETRY=1, tests that failed run once more, alone, if they are few and
// nothing else went wrong, such as a panic or a data race. A test that passes then is
// reported as unstable, and does not fail the run.
//
// The timeout of each package is 20 minutes, multiplied by how much slower and
// busier the machine is than a reference machine, but never less than 20 minutes.
// testrun timeout prints it. The environment variable KHATM_TEST_TIMEOUT overrides
// it, for example KHATM_TEST_TIMEOUT=2h. The environment variable GO sets the go
// command.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// slowest is the number of slowest tests that are listed at the end.
const slowest = 10

// baseTimeout is the timeout on the reference machine: more than twice what the
// slowest package needs there.
const baseTimeout = 20 * time.Minute

func main() {
	if len(os.Args) < 2 || os.Args[1] != "test" && os.Args[1] != "timeout" {
		fail(2, errors.New("usage: testrun test [ARGUMENT...] or testrun timeout"))
	}
	timeout, reason, err := chooseTimeout(baseTimeout, os.Getenv("KHATM_TEST_TIMEOUT"))
	if err != nil {
		fail(2, err)
	}
	if os.Args[1] == "timeout" {
		fmt.Println(timeout)
		return
	}
	fmt.Printf("timeout of each package: %s (%s)\n", timeout, reason)
	goCommand := cmp.Or(os.Getenv("GO"), "go")
	arguments := longestFirst(goCommand, os.Args[2:])
	start := func(arguments []string) (status int, failed failures) {
		command := exec.Command(goCommand, testArguments(timeout, arguments)...)
		if os.Getenv("GOGC") == "" {
			command.Env = append(os.Environ(), "GOGC=1000") // tests have small heaps; the default would collect garbage all the time
		}
		status, failed, err := run(command, os.Stdout)
		if err != nil {
			fail(status, err)
		}
		return status, failed
	}
	status, failed := start(arguments)
	if os.Getenv("KHATM_RETRY") == "1" && status != 0 && failed.few() {
		status = retry(failed, os.Stdout, func(pkg, tests string) int {
			again, _ := start(append(flagsOf(arguments), "-count=1", "-run", tests, pkg))
			return again
		})
	}
	os.Exit(status)
}

func fail(status int, err error) {
	fmt.Fprintln(os.Stderr, "testrun:", err)
	os.Exit(status)
}

// testArguments returns the arguments of the go command.
func testArguments(timeout time.Duration, arguments []string) []string {
	// Many tests wait more than they use the CPU.
	parallel := strconv.Itoa(2 * runtime.GOMAXPROCS(0))
	return append([]string{
		"test", "-json", "-vet", "all", "-timeout", timeout.String(), "-p", parallel, "-parallel", parallel,
		"-trimpath",      // so that all clones share the build cache
		"-ldflags=-s -w", // without symbols and DWARF, which take a third of the time of linking
	}, arguments...)
}

// run runs go test -json, writes the report of its output to out and returns
// its exit status and the tests that failed.
func run(command *exec.Cmd, out io.Writer) (status int, failed failures, err error) {
	command.Stderr = os.Stderr
	events, err := command.StdoutPipe()
	if err != nil {
		return 1, failed, err
	}
	if err := command.Start(); err != nil {
		return 1, failed, err
	}
	defer forwardSignals(command.Process)()

	r := newReport(out)
	readErr := r.read(events)
	waitErr := command.Wait()
	r.end()
	r.printSlowest(slowest)

	var exit *exec.ExitError
	switch {
	case errors.As(waitErr, &exit):
		return max(exit.ExitCode(), 1), r.failed, nil
	case waitErr != nil:
		return 1, r.failed, waitErr
	case readErr != nil:
		return 1, r.failed, fmt.Errorf("read the output of go test: %w", readErr)
	}
	return 0, r.failed, nil
}

// forwardSignals forwards SIGINT and SIGTERM to the process until stop is called, so
// that an interrupted run still prints its report.
func forwardSignals(p *os.Process) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				_ = p.Signal(s) // fails only if the process has ended
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}
