package server_test

import (
	"crypto/rand"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/admin"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// Flipped bits in every column that has a digest are repaired from the archive while
// the server runs. Then all views are as before, the audit is clean, and the audit
// trail has an entry for each repair.
func TestRepairFromArchive(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			at := filepath.Join(t.TempDir(), "archive")
			s := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1}).Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Archive = server.Archive{Location: at, Wait: true}
			})
			shop := s.OnboardedSeller()
			invoices := answeredInvoices(shop, t)
			v := s.Corrupter(t, 24)
			a, err := admin.Open(t.Context(), admin.Config{Data: s.Data, Database: s.Database, Operator: "test", Now: time.Now, NewID: uuid.New, Random: rand.Reader})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			archived(t, v)
			flipped, missed := 0, []flipTarget{}
			remaining := slices.DeleteFunc(targets(v), func(at flipTarget) bool { // other rows refer to keys
				return slices.Contains([]string{"id", "org_id", "invoice_id"}, at.column)
			})
			for len(remaining) > 0 {
				// One bit of each document, so that each repair has one part to replace.
				damaged := 0
				for _, e := range invoices {
					if len(remaining) == 0 {
						break
					}
					one := remaining[0]
					remaining = remaining[1:]
					if flip(v, one, e.id) != nil || flip(v, one, invoices[0].id) != nil { // the first one is cleared, so that it has all values
						damaged++
					} else {
						missed = append(missed, one)
					}
				}
				done, err := a.Repair(t.Context(), admin.Repair{Rate: 1 << 30, Checked: func(int, int) {}, Read: func(int64) {}})
				if err != nil || len(done.Damaged) != 0 || done.Archive != "" {
					t.Fatalf("repair: %+v, %v; want nothing damaged", done, err)
				}
				for _, d := range done.Repaired {
					flipped += len(d.What)
				}
				if len(done.Repaired) == 0 && damaged > 0 {
					t.Fatalf("%d documents were damaged, and none was repaired", damaged)
				}
			}
			if flipped < 30 {
				t.Errorf("%d parts were repaired, want at least 30; not damaged were %v", flipped, missed)
			}
			for _, e := range invoices {
				for view, got := range shows(shop, e.id, e.token) {
					if want := e.shown[view]; got.Status != want.Status || view == "invoice" && got.Body != want.Body {
						t.Errorf("the %s of %s after the repair is %d %s, want %d %s", view, e.number, got.Status, got.Body, want.Status, want.Body)
					}
				}
			}
			report, err := a.Audit(t.Context(), admin.Proof{NoHead: true})
			if err != nil || !report.Sound() {
				t.Errorf("audit after the repair: %+v, %v", report, err)
			}
			var repairs int
			if err := v.Db.QueryRow(`SELECT count(*) FROM event WHERE action = 'invoice.repair'`).Scan(&repairs); err != nil || repairs == 0 || repairs > flipped {
				t.Errorf("the audit trail has %d repairs, %v, want 1 to %d", repairs, err, flipped)
			}
		})
	}
}

// archived waits until everything is in the archive.
func archived(t *testing.T, v *servicetest.Corrupter) {
	t.Helper()
	servicetest.Eventually(t, "the outbox is empty", func() bool {
		var n int
		return v.Db.QueryRow(`SELECT count(*) FROM unarchived`).Scan(&n) == nil && n == 0
	})
}
