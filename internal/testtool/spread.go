package testtool

// Spread returns the elements whose index leaves the same remainder as part when
// divided by parts, or all elements under All. Consecutive parts together have every
// element, so that a test of many fields can try a few values in each field
// and still try every value.
func Spread[T any](all []T, part, parts int) []T {
	if All() {
		return all
	}
	var some []T
	for n := part % parts; n < len(all); n += parts {
		some = append(some, all[n])
	}
	return some
}
