// Package store keeps everything in a database: SQLite beside the service or
// PostgreSQL, opened by package database. It is the only place that queries the
// tables, in one text for both engines. Rows of an organisation are reached with
// its org.Tenant and not otherwise; what a deed changes and the audit trail's
// entry of it are written in one transaction.
package store
