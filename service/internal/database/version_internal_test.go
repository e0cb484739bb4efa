package database

import (
	"strings"
	"testing"
)

// CheckVersion refuses an older and a newer schema.
func TestCheckVersion(t *testing.T) {
	want := SchemaVersion()
	for at, words := range map[int64]string{want - 1: "stop the server, run khatm migrate", want: "", want + 1: "use the newer program"} {
		err := (&DB{config: Config{Migrations: migrations}}).CheckVersion(at)
		if err == nil && words == "" {
			continue
		}
		if err == nil || words == "" || !strings.Contains(err.Error(), words) {
			t.Errorf("error for schema version %d = %v, want %q", at, err, words)
		}
	}
}
