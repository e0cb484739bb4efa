// Package khatm is the lot on which the houses stand: it holds no code, only
// the tests that guard the floor plan, the shape, and the purity of the tree.
package khatm
