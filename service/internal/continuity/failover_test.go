package continuity_test

import (
	"strings"
	"testing"

	"khatm/service/internal/continuity"
)

func TestDistrust(t *testing.T) {
	first := continuity.Identity{System: "1", Timeline: "00000001", Database: 5, Table: 6}
	second := continuity.Identity{System: "1", Timeline: "00000002", Database: 5, Table: 6}
	third := continuity.Identity{System: "1", Timeline: "00000003", Database: 5, Table: 6}
	other := continuity.Identity{System: "2", Timeline: "00000002", Database: 5, Table: 6}
	dump := continuity.Identity{System: "1", Timeline: "00000002", Database: 9, Table: 10}
	on := func(timeline string) *continuity.Replication {
		return &continuity.Replication{System: "1", Timeline: timeline, Standbys: "ANY 1 (a, b)", Commit: "on"}
	}
	local := on("00000001")
	local.Commit = "local"
	cases := []struct {
		name     string
		recorded *continuity.Replication
		before   *continuity.Identity
		marks    *continuity.Identity
		now      continuity.Identity
		want     string // part of the reason; empty if the server is trusted
	}{
		{"promoted", on("00000001"), &first, &first, second, ""},
		{"promoted twice", on("00000001"), &first, nil, third, ""},
		{"accepted by another server", on("00000001"), &second, &first, second, ""},
		{"accepted and recorded by another server", on("00000002"), &second, &first, second, ""},
		{"never recorded", nil, &first, nil, second, "not in force before"},
		{"commits without waiting", local, &first, nil, second, "not in force before"},
		{"recorded on an earlier timeline", on("00000001"), &second, &second, third, "when the last document was issued"},
		{"another server", on("00000001"), &first, nil, other, "not a standby"},
		{"a restored dump", on("00000001"), &first, nil, dump, "not a standby"},
		{"an earlier timeline", on("00000002"), &second, nil, first, "not a standby"},
		{"unknown timeline", on("00000001"), &first, nil, continuity.Identity{System: "1", Database: 5, Table: 6}, "not a standby"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := continuity.Facts{State: continuity.State{Identity: c.before, Replication: c.recorded}, Identity: c.now}
			if c.marks != nil {
				f.Marks = &continuity.Record{Identity: c.marks}
			}
			if got := f.Distrust(); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("Distrust = %q, want %q", got, c.want)
			}
		})
	}
}
