// Package database opens SQLite or PostgreSQL, runs transactions and queries on
// either, and migrates the schema. It handles the differences between the
// engines, distinguishes temporary from permanent errors, and locks the data
// folder between processes. It does not know the columns of the tables;
// [DB.Identity] only looks up the object id of the table installation.
package database
