package main

import (
	"io"
	"testing"
)

// The simulator syncs its files only with --state or --journal.
func TestAuthoritySyncsKeptFiles(t *testing.T) {
	for _, c := range []struct {
		name string
		of   authority
		sync bool
	}{
		{"neither flag", authority{}, false},
		{"state", authority{State: "kept"}, true},
		{"journal", authority{Journal: "kept.jsonl"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg, clean, err := c.of.config(io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			if cfg.Sync != c.sync {
				t.Errorf("Sync = %v, want %v", cfg.Sync, c.sync)
			}
			if err := clean(); err != nil {
				t.Error(err)
			}
		})
	}
}
