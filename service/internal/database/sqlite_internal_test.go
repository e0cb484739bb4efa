package database

import "testing"

func TestOlder(t *testing.T) {
	for version, want := range map[string]bool{
		"3.51.3": false, "3.51.4": false, "3.52.0": false, "4.0": false, "4": false,
		"3.51.2": true, "3.51": true, "3.9.9": true, "2.99.99": true, "": true, "unknown": true,
	} {
		if got := older(version, leastSQLite); got != want {
			t.Errorf("older(%q) = %t, want %t", version, got, want)
		}
	}
}
