package testtool

import "os"

// Torture reports whether tests run with the figures of a long run:
// KHATM_TORTURE is 1, as scripts/torture sets it.
func Torture() bool { return os.Getenv("KHATM_TORTURE") == "1" }

// Count returns how often something is tried: few, or many in a long run.
func Count(few, many int) int {
	if Torture() {
		return many
	}
	return few
}
