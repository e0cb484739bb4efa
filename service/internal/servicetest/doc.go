// Package servicetest runs the service for tests: on both engines, over HTTP,
// beside a simulator of the tax authority, with organisations that are ready to
// issue.
package servicetest
