//go:build race

package pdfa_test

// raced says that the race detector is at work, and times mean nothing.
const raced = true
