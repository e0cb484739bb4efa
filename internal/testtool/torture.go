package testtool

import "os"

// Torture reports whether this is a long test run, that is, whether KHATM_TORTURE is 1.
// scripts/torture sets it.
func Torture() bool { return os.Getenv("KHATM_TORTURE") == "1" }

// All reports whether KHATM_ALL or KHATM_TORTURE is 1. make check sets KHATM_ALL;
// make test leaves out what repeats another test, such as the same test on the
// other database engine. Only a long run has the full number of repetitions.
func All() bool { return os.Getenv("KHATM_ALL") == "1" || Torture() }

// Count returns the number of repetitions: few, or many in a long run.
func Count(few, many int) int {
	if Torture() {
		return many
	}
	return few
}

// Scale returns the number of repetitions: few, all under All, or many in a long
// run.
func Scale(few, all, many int) int {
	switch {
	case Torture():
		return many
	case All():
		return all
	}
	return few
}

// Some returns every oneOf-th element, beginning with the first, or all elements in
// a long run.
func Some[T any](all []T, oneOf int) []T {
	if Torture() {
		return all
	}
	var some []T
	for n := 0; n < len(all); n += oneOf {
		some = append(some, all[n])
	}
	return some
}
