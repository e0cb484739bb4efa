package service_test

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/admin"
	"khatm/service/internal/trade"
)

// changedClient is a new client with a change.
func (t *till) changedClient(name string, change func(*trade.Client)) trade.Client {
	t.t.Helper()
	c, err := t.service.Store().ChangeClient(context.Background(), t.operator(t.org), t.client(t.org, name).ID, func(c *trade.Client) error {
		change(c)
		return nil
	})
	if err != nil {
		t.t.Fatal(err)
	}
	return c
}

// variety issues documents of every kind, and waits for the authority's word.
func (t *till) variety(random int) (ids []uuid.UUID) {
	t.t.Helper()
	d := (&scene{
		till: t, withoutVAT: t.changedClient("No VAT", func(c *trade.Client) { c.VATNumber = "" }),
		foreign: t.changedClient("Foreign", func(c *trade.Client) { c.VATNumber, c.CountryCode = "", "AE" }),
	}).lottery(3)
	for range random {
		ids = append(ids, t.created(t.standard(d.right())))
	}
	original, advance := t.created(t.standard(fields{"notes": note("original")})), t.created(t.standard(fields{"type_code": 386, "notes": note("advance")}))
	t.final(original)
	t.final(advance)
	ids = append(ids, original, advance,
		t.created(t.note(381, original)), t.created(t.note(383, original)),
		t.created(t.standard(fields{"notes": note("deducts"), "add_prepaid_amount": true, "prepaid_invoices": []any{advance}})))
	for _, id := range ids {
		t.final(id)
	}
	return ids
}

// Documents from before documents had digests are verified by an upgrade, all
// kinds of them; one of which a byte was flipped is named and gets none.
func TestReliability_UpgradeVerifiesDocuments(t *testing.T) {
	eachSending(t, "polite", func(t *testing.T, s *sending) {
		shop, variety := s.shop(), 4
		if torturing() {
			variety = 200
		}
		ids := shop.variety(variety)
		v := s.vandal(t, 19)
		s.server.Close()
		s.service.Close()
		config := admin.Config{Data: s.data, Database: s.database, Operator: "test", Now: time.Now, NewID: uuid.New, Random: rand.Reader}
		undigest := func() {
			t.Helper()
			for _, statement := range []string{
				`UPDATE document SET digest = NULL, xml_digest = NULL`, `UPDATE invoice SET answer_digest = NULL`, `UPDATE verdict SET digest = NULL, stamped_digest = NULL`,
			} {
				if _, err := v.db.Exec(statement); err != nil {
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
			equal(t, "documents", found.Documents, len(ids))
			return found
		}
		undigest()
		equal(t, "damaged", digest().Damaged, []admin.DamagedDocument{})
		targets := []flipTarget{{"document", "xml"}, {"invoice", "with_vat"}, {"verdict", "stamped"}}
		if torturing() {
			targets = append(targets, flipTarget{"document", "qr"}, flipTarget{"invoice", "hash"}, flipTarget{"invoice", "ref_num"}, flipTarget{"invoice", "cleared_qr"})
		}
		for n, at := range targets {
			undigest()
			original := ids[len(ids)-5]
			undo := v.flip(at, original)
			if undo == nil {
				t.Fatalf("%v cannot be flipped", at)
			}
			if damaged := digest().Damaged; len(damaged) != 1 || damaged[0].Invoice != original.String() {
				t.Errorf("%d %v: %v", n, at, damaged)
			}
			undo()
		}
		undigest()
		equal(t, "damaged", digest().Damaged, []admin.DamagedDocument{})
		examined := &strings.Builder{}
		admin.Examine(t.Context(), config, admin.Outside{Authority: "simulator", Client: http.DefaultClient}, func(f admin.Finding) {
			if f.Check == "stored documents" {
				examined.WriteString(string(f.Level) + " " + f.Says)
			}
		})
		if !strings.HasPrefix(examined.String(), "ok none is known to be damaged") {
			t.Errorf("doctor says %s", examined)
		}
	})
}
