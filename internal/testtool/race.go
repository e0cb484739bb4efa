//go:build race

package testtool

// Raced reports whether the race detector is enabled, with which CPU time and memory
// cannot be measured.
const Raced = true
