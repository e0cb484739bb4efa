//go:build race

package service_test

// raced: CPU time means nothing under the race detector.
const raced = true
