// Package khatm is the root of the module. It contains no code, only tests of
// the whole module: its imports, file sizes, purity, Arabic texts and
// documents.
package khatm
