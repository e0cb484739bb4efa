//go:build !race

package pdfa_test

const raced = false
