package server_test

import (
	"crypto/rand"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/servicetest"
)

// An upgrade verifies documents that have no digests yet. A damaged document is
// reported.
func TestReliability_UpgradeVerifiesDocuments(t *testing.T) {
	t.Parallel()
	eachVisited(t, func(t *testing.T, s *servicetest.Sending) {
		shop, variety := s.OnboardedSeller(), 4
		if testtool.Torture() {
			variety = 200
		}
		ids := shop.Variety(variety)
		v := s.Corrupter(t, 19)
		s.HTTP.Close()
		s.Service.Close()
		config := admin.Config{Data: s.Data, Database: s.Database, Operator: "test", Now: time.Now, NewID: uuid.New, Random: rand.Reader}
		undigest := func() {
			t.Helper()
			for _, statement := range []string{
				`UPDATE document SET digest = NULL, xml_digest = NULL`, `UPDATE invoice SET answer_digest = NULL`, `UPDATE verdict SET digest = NULL, stamped_digest = NULL`,
			} {
				if _, err := v.Db.Exec(statement); err != nil {
					t.Fatal(err)
				}
			}
		}
		digest := func() admin.Checked {
			t.Helper()
			found, err := admin.DigestDocuments(t.Context(), config, func(int, int) {})
			if err != nil {
				t.Fatal(err)
			}
			servicetest.Equal(t, "documents", found.Documents, len(ids))
			return found
		}
		undigest()
		servicetest.Equal(t, "damaged", digest().Damaged, []admin.DamagedDocument{})
		targets := []flipTarget{{"document", "xml"}, {"invoice", "with_vat"}, {"verdict", "stamped"}}
		if testtool.Torture() {
			targets = append(targets, flipTarget{"document", "qr"}, flipTarget{"invoice", "hash"}, flipTarget{"invoice", "ref_num"}, flipTarget{"invoice", "cleared_qr"})
		}
		for n, at := range targets {
			undigest()
			original := ids[len(ids)-5]
			undo := flip(v, at, original)
			if undo == nil {
				t.Fatalf("cannot flip a bit in column %v", at)
			}
			if damaged := digest().Damaged; len(damaged) != 1 || damaged[0].Invoice != original.String() {
				t.Errorf("flip %d of %v: damaged documents %v, want the original", n, at, damaged)
			}
			undo()
		}
		undigest()
		servicetest.Equal(t, "damaged", digest().Damaged, []admin.DamagedDocument{})
		examined := &strings.Builder{}
		admin.Examine(t.Context(), config, admin.Outside{Authority: "simulator", Client: http.DefaultClient}, func(f admin.Finding) {
			if f.Check == "stored documents" {
				examined.WriteString(string(f.Level) + " " + f.Says)
			}
		})
		if !strings.HasPrefix(examined.String(), "ok none is known to be damaged") {
			t.Errorf("doctor reports %s, want no damage", examined)
		}
	})
}
