package store_test

import (
	"fmt"
	"os"
	"testing"

	"khatm/service/internal/store/pgtest"

	"go.uber.org/goleak"
)

// role is the environment variable with the role of a child process, which is
// the test binary again.
const role = "KHATM_TEST_STORE"

func TestMain(m *testing.M) {
	run, ok := roles()[os.Getenv(role)]
	if !ok {
		goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction(pgtest.IdleReader))
		return
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// roles maps the roles of child processes to their functions.
func roles() map[string]func(args []string) error {
	return map[string]func([]string) error{
		"stamp":     runStamp,
		"serve":     runServe,
		"command":   runCommand,
		"migrate":   runMigrate,
		"upgrade":   runUpgrade,
		"write":     runWriter,
		"knock":     runKnock,
		"seal":      runSealer,
		"take":      runTaker,
		"import":    runImporter,
		"full disk": runFullDisk,
	}
}
