// Package khatm is the root of the module. It contains no code, only tests
// that check the imports, the file sizes and the purity of its packages.
package khatm
