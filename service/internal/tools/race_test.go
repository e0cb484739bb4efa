//go:build race

package tools_test

// raced: CPU time means nothing under the race detector.
const raced = true
