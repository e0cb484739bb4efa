// Package store keeps everything in a database: SQLite beside the service or
// PostgreSQL. It is the only place that says SQL, and says it in one text for
// both. Rows of an organisation are reached with its org.Tenant and not
// otherwise; what a deed changes and the audit trail's entry of it are written
// in one transaction.
package store
