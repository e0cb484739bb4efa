// Package store reads and writes all data of the service in SQLite or
// PostgreSQL, opened by package database. It is the only package that queries
// the tables; each query has one text for both engines. Rows of an organisation
// can be accessed only with its org.Tenant. A change and its entry in the audit
// trail are written in one transaction.
package store
