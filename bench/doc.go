// Package bench measures Khatm beside its limits: what a whole step costs next
// to the sum of the parts it cannot do without, in the same run on the same
// machine. A figure alone says more about the machine than about the program; a
// ratio can be held to a bound. `make bench` runs it.
package bench
