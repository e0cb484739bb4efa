// Package bench contains benchmarks that compare the cost of an operation with the
// sum of its unavoidable parts, such as a signature. Both are measured in the same
// run, so that the ratio hardly depends on the machine and can have a limit.
// `make bench` runs it.
package bench
