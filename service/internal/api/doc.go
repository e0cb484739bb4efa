// Package api is the API for programs with an API key and for signed-in people:
// invoices, clients, items, devices, usage and reference data. Each file contains
// one resource: its routes, its input and its response. The package stores nothing
// itself.
package api
