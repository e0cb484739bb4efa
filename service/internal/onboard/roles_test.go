package onboard_test

import "os"

// role is the environment variable that makes the test binary run as a helper
// process.
const role = "KHATM_TEST_ONBOARD"

func roleOf() string { return os.Getenv(role) }

// roles maps the values of role to the functions of a helper process.
var roles = map[string]func(){"lead": runHelper}
