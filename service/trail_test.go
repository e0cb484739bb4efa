package service_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/org"
)

// seal does what the loop does each second.
func (h *house) seal() {
	h.t.Helper()
	if err := h.service.SealTrail(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// unguarded takes the guards of the trail away.
func (h *house) unguarded() {
	h.t.Helper()
	for _, trigger := range []string{"event_is_sealed_once", "event_stays"} {
		drop := `DROP TRIGGER ` + trigger
		if h.database != "" {
			drop += ` ON event`
		}
		h.exec(h.t, drop)
	}
}

// The next entry does not hide what was done to the trail: nothing is linked
// to it, its head stays, and it is said until somebody looks.
func TestTrailThatWasTamperedWithIsNotGoneOnWith(t *testing.T) {
	for name, statements := range map[string][]string{
		"cut":       {`DELETE FROM event WHERE link = (SELECT max(link) FROM event)`},
		"all gone":  {`DELETE FROM event`},
		"rewritten": {`UPDATE event SET link = NULL, hash = NULL, actor = 'nobody' WHERE link = (SELECT max(link) FROM event)`},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, h *house) {
				h.seal()
				file := filepath.Join(h.data, "files", org.TrailHeadFile)
				head := readFile(t, file)
				h.unguarded()
				for _, statement := range statements {
					h.exec(t, statement)
				}
				h.organisation("Another", "business")
				for range 3 {
					h.seal()
				}
				if readFile(t, file) != head {
					t.Error("the head was replaced")
				}
				h.wantTrailBroken(1)
				h.wantAlarms(1)
				h.clock.Advance(time.Minute)
				h.seal()
				h.seal()
				h.wantAlarms(2)
				check := org.TrailCheck{Head: h.head(head)}
				err := h.service.Store().WalkTrail(t.Context(), check.See)
				if err == nil {
					_, err = check.End()
				}
				if err == nil {
					t.Error("the proof finds nothing")
				}
				// Who has looked moves the head away.
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
				h.seal()
				h.wantTrailBroken(0)
			})
		})
	}
}

// A head that is none of ours fits no trail.
func TestTrailWithAnotherHead(t *testing.T) {
	h := open(t, nil)
	h.seal()
	file := filepath.Join(h.data, "files", org.TrailHeadFile)
	if err := os.WriteFile(file, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.organisation("Another", "business")
	h.seal()
	if readFile(t, file) != "another" {
		t.Error("it was replaced without a word")
	}
	h.wantTrailBroken(1)
}

// wantTrailBroken reads the metric of the trail. Readiness is that of the
// process, and says nothing about the trail.
func (h *house) wantTrailBroken(want int) {
	h.t.Helper()
	if line := fmt.Sprint("\nkhatm_audit_trail_broken ", want, "\n"); !strings.Contains(h.ask("/metrics").body, line) {
		h.t.Errorf("the metrics do not say%s", line)
	}
	if ready := h.ask("/readyz"); ready.status != http.StatusOK {
		h.t.Errorf("readyz says %d %q", ready.status, ready.body)
	}
}

// wantAlarms counts how often the log says that the trail does not fit.
func (h *house) wantAlarms(want int) {
	h.t.Helper()
	if got := strings.Count(h.log.String(), "does not fit its head"); got != want {
		h.t.Errorf("logged %d times, want %d", got, want)
	}
}

// head is the link that a head names, sealed as it is kept.
func (h *house) head(sealed string) org.Link {
	h.t.Helper()
	plain, err := h.ring().Open(org.TrailHeadPurpose, org.TrailHeadOwner, []byte(sealed))
	if err != nil {
		h.t.Fatal(err)
	}
	link, err := org.ParseLink(plain)
	if err != nil {
		h.t.Fatal(err)
	}
	return link
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
