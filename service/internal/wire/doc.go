// Package wire is the HTTP layer: it decodes requests, authenticates and
// authorizes callers, enforces rate limits, encodes responses and publishes the
// OpenAPI documents. It knows nothing about invoices: a surface is a table of
// routes, each with a handler.
package wire
