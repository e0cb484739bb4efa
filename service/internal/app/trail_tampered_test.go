package app_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// sealTrail seals the audit trail once, as the server does in a loop.
func sealTrail(h *servicetest.Instance) {
	h.TB.Helper()
	if err := h.Service.SealTrail(h.TB.Context()); err != nil {
		h.TB.Fatal(err)
	}
}

// unguarded removes the triggers that protect the audit trail.
func unguarded(h *servicetest.Instance) {
	h.TB.Helper()
	for _, trigger := range []string{"event_is_sealed_once", "event_stays"} {
		drop := `DROP TRIGGER ` + trigger
		if h.Database != "" {
			drop += ` ON event`
		}
		h.Exec(h.TB, drop)
	}
}

// A change of the audit trail is not hidden by later entries: no entry is
// linked to the changed trail, the head file is not replaced, and the problem
// is reported until an operator removes the head.
func TestTamperedTrailIsNotExtended(t *testing.T) {
	t.Parallel()
	for name, statements := range map[string][]string{
		"cut":       {`DELETE FROM event WHERE link = (SELECT max(link) FROM event)`},
		"all gone":  {`DELETE FROM event`},
		"rewritten": {`UPDATE event SET link = NULL, hash = NULL, actor = 'nobody' WHERE link = (SELECT max(link) FROM event)`},
	} {
		t.Run(name, func(t *testing.T) {
			servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
				sealTrail(h)
				file := filepath.Join(h.Data, "files", org.TrailHeadFile)
				head := servicetest.ReadFile(t, file)
				unguarded(h)
				for _, statement := range statements {
					h.Exec(t, statement)
				}
				h.Organisation("Another", "business")
				for range 3 {
					sealTrail(h)
				}
				if servicetest.ReadFile(t, file) != head {
					t.Error("the head of the trail was replaced")
				}
				wantTrailBroken(h, 1)
				wantAlarms(h, 1)
				h.Clock.Advance(time.Minute)
				sealTrail(h)
				sealTrail(h)
				wantAlarms(h, 2)
				check := org.TrailCheck{Head: h.Head(head)}
				err := h.Service.Store().WalkTrail(t.Context(), check.See)
				if err == nil {
					_, err = check.End()
				}
				if err == nil {
					t.Error("WalkTrail and End found no problem, want an error")
				}
				// An operator who has investigated removes the head.
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
				sealTrail(h)
				wantTrailBroken(h, 0)
			})
		})
	}
}

// A head file that does not match the trail is reported and not overwritten.
func TestTrailWithAnotherHead(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	sealTrail(h)
	file := filepath.Join(h.Data, "files", org.TrailHeadFile)
	if err := os.WriteFile(file, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.Organisation("Another", "business")
	sealTrail(h)
	if servicetest.ReadFile(t, file) != "another" {
		t.Error("the head file was replaced")
	}
	wantTrailBroken(h, 1)
}

// wantTrailBroken checks the metric of the trail. /readyz stays ok, because it
// describes the process only.
func wantTrailBroken(h *servicetest.Instance, want int) {
	h.TB.Helper()
	if line := fmt.Sprint("\nkhatm_audit_trail_broken ", want, "\n"); !strings.Contains(h.Ask("/metrics").Body, line) {
		h.TB.Errorf("the metrics do not contain%s", line)
	}
	if ready := h.Ask("/readyz"); ready.Status != http.StatusOK {
		h.TB.Errorf("/readyz: got %d %q, want 200", ready.Status, ready.Body)
	}
}

// wantAlarms checks how often the log reports the broken trail.
func wantAlarms(h *servicetest.Instance, want int) {
	h.TB.Helper()
	if got := strings.Count(h.Log.String(), "entries of the audit trail are not linked"); got != want {
		h.TB.Errorf("the broken trail is logged %d times, want %d", got, want)
	}
}
