package onboard_test

import "os"

// role names the environment variable that makes this program another process
// of a test.
const role = "KHATM_TEST_ONBOARD"

func roleOf() string { return os.Getenv(role) }

// roles are what another process can be told to do.
var roles = map[string]func(){"lead": playLeader}
