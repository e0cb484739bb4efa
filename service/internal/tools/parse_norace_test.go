//go:build !race

package tools_test

const raced = false
