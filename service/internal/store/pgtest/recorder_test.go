package pgtest_test

import "testing"

// recorder is a testing.TB whose failure does not fail the current test.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Fatal(...any) {
	r.failed = true
	panic(r)
}

func (r *recorder) Fatalf(string, ...any) { r.Fatal() }

// run calls do and returns when do returns or fails the test.
func (r *recorder) run(do func()) {
	defer func() {
		if gaveUp := recover(); gaveUp != nil && gaveUp != any(r) {
			panic(gaveUp)
		}
	}()
	do()
}
