// Package khatm is the root of the module. It holds no code, only the tests
// that check the imports, the shape and the purity of its packages.
package khatm
