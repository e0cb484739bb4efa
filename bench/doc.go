// Package bench contains benchmarks that compare the cost of a whole operation
// with the sum of its unavoidable parts, such as signing or compressing. Both
// are measured in the same run, so the ratio hardly depends on the machine and a
// test can set a limit for it. `make bench` runs it.
package bench
