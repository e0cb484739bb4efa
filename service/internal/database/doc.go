// Package database opens SQLite or PostgreSQL, runs transactions and queries on
// either, and migrates the tables. It knows how the engines differ, which of
// their errors pass, and how processes keep out of each other's way; it knows
// nothing of what the tables hold.
package database
