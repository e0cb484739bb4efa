// Package api is the key surface: what a program with an API key, or a person
// signed in, reads and registers. Each file is one resource: its row in the
// route table, what it reads, what it answers. It keeps nothing itself.
package api
