package store_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"go.uber.org/goleak"
)

// role names the environment variable that makes this program another process
// of a test, which plays a role on the test's database.
const role = "KHATM_TEST_STORE"

func TestMain(m *testing.M) {
	play, ok := roles()[os.Getenv(role)]
	if !ok {
		runMoreAtATime()
		goleak.VerifyTestMain(m)
		return
	}
	if err := play(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runMoreAtATime runs more tests in parallel than there are processors, unless
// -parallel is given: many of them wait for other processes and for time-outs.
func runMoreAtATime() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))); err != nil {
		panic(err) // the flag is that of the testing package
	}
}

// roles are what another process can be told to do.
func roles() map[string]func(args []string) error {
	return map[string]func([]string) error{
		"stamp":     playStamp,
		"serve":     playServe,
		"command":   playCommand,
		"migrate":   playMigrate,
		"upgrade":   playUpgrade,
		"write":     playWriter,
		"knock":     playKnock,
		"seal":      playSealer,
		"take":      playTaker,
		"full disk": playFullDisk,
	}
}
