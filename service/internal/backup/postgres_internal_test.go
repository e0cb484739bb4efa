package backup

import (
	"strings"
	"testing"
)

// If no program is new enough, the error names the package to install.
func TestPostgresProgramTooOld(t *testing.T) {
	_, err := postgresProgram(t.Context(), "pg_dump", 999)
	if err == nil || !strings.Contains(err.Error(), "Debian package postgresql-client") {
		t.Errorf("error for a server newer than pg_dump = %v, want one with the package to install", err)
	}
	_, err = postgresProgram(t.Context(), "pg_dump_that_is_nowhere", 1)
	if err == nil || !strings.Contains(err.Error(), "was not found on the PATH") {
		t.Errorf("error for a missing program = %v, want \"was not found on the PATH\"", err)
	}
}

func TestCountRows(t *testing.T) {
	const one = "COPY public.invoice (id, xml) FROM stdin;\n1\t\\\\x00\n2\tCOPY public.invoice (\n"
	long := strings.Repeat("x", 3<<20)
	for text, want := range map[string]int64{
		"": 0,
		"COPY public.invoice_line (id) FROM stdin;\n1\n\\.\n": 0,
		one + "\\.\n": 2,
		"COPY public.document (id) FROM stdin;\nCOPY\n\\.\n" + one + long + "\n" + long + "\n\\.\nSELECT 1;\n": 4,
	} {
		if got, err := countRows(strings.NewReader(text), "invoice"); got != want || err != nil {
			t.Errorf("countRows(%.80q) = %d, %v, want %d", text, got, err, want)
		}
	}
}
