package store_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// role is the environment variable that makes the test binary run as a child
// process with this role.
const role = "KHATM_TEST_STORE"

func TestMain(m *testing.M) {
	play, ok := roles()[os.Getenv(role)]
	if !ok {
		goleak.VerifyTestMain(m)
		return
	}
	if err := play(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// roles maps the roles of child processes to their functions.
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
