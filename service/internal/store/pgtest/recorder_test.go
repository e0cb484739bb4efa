package pgtest_test

import "testing"

// recorder is a test that may fail without this one doing so.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Fatal(...any) {
	r.failed = true
	panic(r)
}

func (r *recorder) Fatalf(string, ...any) { r.Fatal() }

// run calls do and returns when it is done or gave up.
func (r *recorder) run(do func()) {
	defer func() {
		if gaveUp := recover(); gaveUp != nil && gaveUp != any(r) {
			panic(gaveUp)
		}
	}()
	do()
}
