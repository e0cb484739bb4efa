// Package khatm is the lot on which the houses stand: it holds no code, only
// the tests that check the imports, the shape and the purity of its packages.
package khatm
