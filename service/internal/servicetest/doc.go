// Package servicetest runs the service for tests: over HTTP, on both database
// engines, with a simulator of the tax authority, and with organisations that
// are ready to issue.
package servicetest
