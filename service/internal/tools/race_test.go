//go:build race

package tools_test

// raced is true under the race detector, where CPU time cannot be measured.
const raced = true
