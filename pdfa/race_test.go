//go:build race

package pdfa_test

// raced reports whether the race detector is enabled, which makes timings meaningless.
const raced = true
