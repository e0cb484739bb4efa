package database

import "testing"

func TestPositional(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		`SELECT 1`: `SELECT 1`,
		`INSERT INTO a VALUES ($1, $2), ($3, $4)`: `INSERT INTO a VALUES (?, ?), (?, ?)`,
		`SELECT $1, $10`: `SELECT $1, $10`, // not in order
		`SELECT $2, $1`:  `SELECT $2, $1`,
		`SELECT $1, $1`:  `SELECT $1, $1`,
		`SELECT '$', $1`: `SELECT '$', ?`,
	} {
		if got := positional(query); got != want {
			t.Errorf("positional(%q) = %q, want %q", query, got, want)
		}
	}
}
