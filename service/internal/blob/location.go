package blob

import (
	"errors"
	"time"

	"khatm/service/internal/s3"
)

// Postgres is the location of uploaded files in the PostgreSQL database.
const Postgres = "postgres"

// CheckLocation returns an error unless location is valid: empty for the data folder,
// [Postgres], or the address of a bucket. inPostgres is whether the database is a
// PostgreSQL database. The error contains no part of an address, which may have a
// secret by mistake.
func CheckLocation(location string, inPostgres bool) error {
	switch {
	case location == "", location == Postgres && inPostgres:
		return nil
	case location == Postgres:
		return errors.New("--blob postgres needs a PostgreSQL database: set --database or KHATM_DATABASE")
	case s3.IsAddress(location):
		_, err := parseAddress(location)
		return err
	}
	return errors.New("--blob must be postgres or s3://BUCKET/PREFIX, or must be left out for the data folder")
}

// OpenUploads returns the store at a location of uploaded files, or nil if they are in
// the data folder. rows are those of the PostgreSQL database, or nil.
func OpenUploads(location string, rows Rows, now func() time.Time) (Store, error) {
	if err := CheckLocation(location, rows != nil); err != nil || location == "" {
		return nil, err
	}
	if location == Postgres {
		return table{rows}, nil
	}
	return openBucket(location, now)
}

// SameLocation reports whether two locations are the same bucket and prefix.
func SameLocation(a, b string) bool { return s3.SameFolder(a, b) }

func parseAddress(location string) (s3.Address, error) { return s3.Parse(location, "file store") }
