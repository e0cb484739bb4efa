package admin_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/admin"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// client registers a client of an organisation.
func (d *installation) client(o admin.Organisation) uuid.UUID {
	d.t.Helper()
	c := trade.Client{ID: d.config.NewID(), Name: "Al Noor Trading", Address: org.Address{Street: "King Road", CountryCode: "SA"}, CreatedAt: d.clock.Now()}
	if err := d.store.AddClient(context.Background(), org.Operator(of(o), "layla"), c); err != nil {
		d.t.Fatal(err)
	}
	return c.ID
}

func earlier(buyer uuid.UUID) admin.Earlier {
	return admin.Earlier{
		Number: "OLD-17", IssueDate: "2025-12-31", Buyer: buyer.String(), Currency: "SAR",
		Totals: []admin.EarlierTotal{
			{Category: "S", Rate: money.FromInt(15), Taxable: money.MustParse("1000"), VAT: money.MustParse("150.03")}, // rounded by the line
			{Category: "Z", Taxable: money.MustParse("40.00")},
		},
	}
}

func TestRegisterEarlierIsIdempotent(t *testing.T) {
	each(t, func(t *testing.T, d *installation) {
		ctx := context.Background()
		o, other := d.organisation("Khatm Trading"), d.organisation("Neighbour")
		buyer := d.client(o)
		first := must[admin.Earlier](t)(d.RegisterEarlier(ctx, o.ID.String(), earlier(buyer)))
		if first.WithVAT.String() != "1190.03" {
			t.Errorf("total with VAT = %s, want 1190.03", first.WithVAT)
		}
		if e := d.lastEvent(o); e.Action != "earlier.create" || e.Subject != first.ID.String() {
			t.Errorf("last entry of the trail = %+v, want earlier.create of %s", e, first.ID)
		}
		kept, err := d.store.Earlier(ctx, of(o), []uuid.UUID{first.ID})
		if err != nil || !kept[first.ID].Imported || kept[first.ID].Buyer != buyer || kept[first.ID].Left().String() != "1190.03" {
			t.Errorf("stored invoice = %+v (%v), want an imported one of buyer %s with 1190.03 left", kept[first.ID], err, buyer)
		}
		if again := must[admin.Earlier](t)(d.RegisterEarlier(ctx, o.ID.String(), earlier(buyer))); again.ID != first.ID {
			t.Errorf("id of the second registration = %s, want %s", again.ID, first.ID)
		}
		changed := earlier(buyer)
		changed.IssueDate = "2025-12-30"
		if _, err := d.RegisterEarlier(ctx, o.ID.String(), changed); err == nil || !strings.Contains(err.Error(), "other data") {
			t.Errorf("registration with another date: error %v, want one about other data", err)
		}
		theirs := must[admin.Earlier](t)(d.RegisterEarlier(ctx, other.ID.String(), earlier(d.client(other))))
		if theirs.ID == first.ID {
			t.Errorf("invoices of two organisations with the same number have the same id %s, want different ids", first.ID)
		}
	})
}

func TestRegisterEarlierRejects(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o, other := d.organisation("Khatm Trading"), d.organisation("Neighbour")
		buyer, foreign := d.client(o), d.client(other)
		for _, c := range []struct {
			name, field string
			change      func(*admin.Earlier)
		}{
			{"empty number", "number", func(e *admin.Earlier) { e.Number = "" }},
			{"number with a line feed", "number", func(e *admin.Earlier) { e.Number = "A\nB" }},
			{"number of 128 characters", "number", func(e *admin.Earlier) { e.Number = strings.Repeat("ن", 128) }},
			{"invalid date", "issue_date", func(e *admin.Earlier) { e.IssueDate = "31.12.2025" }},
			{"date in the future", "issue_date", func(e *admin.Earlier) { e.IssueDate = "2999-01-01" }},
			{"no buyer", "buyer", func(e *admin.Earlier) { e.Buyer = "" }},
			{"invalid buyer id", "buyer", func(e *admin.Earlier) { e.Buyer = "Al Noor" }},
			{"another organisation's client", "buyer", func(e *admin.Earlier) { e.Buyer = foreign.String() }},
			{"unknown currency", "currency", func(e *admin.Earlier) { e.Currency = "SAA" }},
			{"no totals", "totals", func(e *admin.Earlier) { e.Totals = nil }},
			{"unknown VAT category", "totals.0.vat_category_code", func(e *admin.Earlier) { e.Totals[0].Category = "s" }},
			{"zero rate in category S", "totals.0.vat_rate", func(e *admin.Earlier) { e.Totals[0].Rate = money.Decimal{} }},
			{"rate in category Z", "totals.1.vat_rate", func(e *admin.Earlier) { e.Totals[1].Rate = money.FromInt(5) }},
			{"taxable amount of zero", "totals.1.taxable_amount", func(e *admin.Earlier) { e.Totals[1].Taxable = money.Decimal{} }},
			{"wrong VAT", "totals.0.vat_amount", func(e *admin.Earlier) { e.Totals[0].VAT = money.MustParse("151.01") }},
			{"three decimals", "totals.0.vat_amount", func(e *admin.Earlier) { e.Totals[0].VAT = money.MustParse("150.001") }},
		} {
			t.Run(c.name, func(t *testing.T) {
				wanted := earlier(buyer)
				c.change(&wanted)
				_, err := d.RegisterEarlier(context.Background(), o.ID.String(), wanted)
				if problems := admin.Problems(err); len(problems) != 1 || problems[0].Field != c.field {
					t.Errorf("error %v, want one problem with %s", err, c.field)
				}
			})
		}
	})
}
