package api

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

func TestParseStatuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]ledger.Status{
		"":                             nil,
		"CLEARED":                      {ledger.Cleared},
		"NOT_CLEARED, NOT_REPORTED":    {ledger.NotCleared, ledger.NotReported},
		"REPORTED,No response,CLEARED": {ledger.Reported, ledger.NoResponse, ledger.Cleared},
		"Unanswered":                   {ledger.Unanswered},
		"CLEARED,CLEARED,Unanswered":   {ledger.Cleared, ledger.Unanswered},
	} {
		got, err := parseStatuses(namesIn(text))
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("parseStatuses(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"cleared", "CLEARED,", ",", "PENDING", "CLEARED;REPORTED", "unanswered"} {
		if got, err := parseStatuses(namesIn(text)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("parseStatuses(%q) = %q, %v; want an error", text, got, err)
		}
	}
}

// namesIn returns the elements of a list in a query.
func namesIn(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// A cursor is accepted only in the form in which it was written.
func TestCursors(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("01a1de6f-5280-7005-bc9e-9603932172b1")
	text := cursorOf(id)
	if got, ok := parseCursor(text); !ok || got != id {
		t.Errorf("parseCursor(cursorOf(id)) = %s, %t; want %s, true", got, ok, id)
	}
	last := []byte(text)
	last[len(last)-1]++ // sets unused bits
	for _, wrong := range []string{"", "x", text + "=", text[1:], text + "AA", id.String(), string(last), cursorOf(uuid.Nil), "\n" + text} {
		if got, ok := parseCursor(wrong); ok {
			t.Errorf("parseCursor(%q) = %s, want it refused", wrong, got)
		}
	}
}

// rightBody returns a body with a value in every field.
func rightBody(t *testing.T) InvoiceBody {
	t.Helper()
	start, err := codec.ParseDate("2026-11-14")
	if err != nil {
		t.Fatal(err)
	}
	end, err := codec.ParseDate("2026-11-15")
	if err != nil {
		t.Fatal(err)
	}
	n := byte(0)
	next := func() uuid.UUID { n++; return uuid.UUID{15: n} }
	pointer := func() *uuid.UUID { id := next(); return &id }
	expected, price := money.MustParse("9.99"), money.MustParse("1")
	return InvoiceBody{
		Device: next(), Seller: next(), Buyer: pointer(), Kind: 381, Transaction: "0200000", SupplyDate: start, SupplyEndDate: end,
		Currency: "USD", ExchangeRate: money.MustParse("3.75"), PaymentMeans: "30", AddPrepaid: true, Prepaid: []uuid.UUID{next()},
		Reason: pointer(), Originals: []uuid.UUID{next()}, ExpectedPayable: &expected,
		Notes: []noteBody{{Language: "en", Text: "a note"}},
		FormLines: []formLineBody{{
			Name: "name", Price: &price, Quantity: money.MustParse("2"), Unit: "PCE", Category: "Z", Rate: money.MustParse("3"),
			ReasonCode: "code", ReasonText: "text", Original: pointer(),
		}},
		Lines:      []catalogueLine{{Item: next(), Quantity: money.MustParse("4"), Original: pointer()}},
		Allowances: []allowanceBody{{Amount: money.MustParse("5"), ReasonCode: "95", Reason: "why", Category: "S", Rate: money.MustParse("15")}},
	}
}

// A request keeps every field of its body, and can be converted back.
func TestRequestOfABody(t *testing.T) {
	t.Parallel()
	body := rightBody(t)
	r, err := body.Request()
	if err != nil {
		t.Fatal(err)
	}
	l := r.FormLines[0]
	for what, pair := range map[string][2]any{
		"device": {r.Device, body.Device},
		"seller": {r.Seller, body.Seller},
		"buyer":  {r.Buyer, *body.Buyer},
		"reason": {r.Reason, *body.Reason},
		"supply": {r.SupplyDate + " " + r.SupplyEndDate, "2026-11-14 2026-11-15"},
		"kind":   {fmt.Sprintf("%d %s %s %s %s %t", r.Kind, r.Transaction, r.Currency, r.ExchangeRate, r.PaymentMeans, r.AddPrepaid), "381 0200000 USD 3.75 30 true"},
		"form line": {strings.Join([]string{
			l.Name, l.Price.String(), l.Quantity.String(), l.Unit, l.Category, l.Rate.String(), l.ReasonCode, l.ReasonText,
		}, " "), "name 1 2 PCE Z 3 code text"},
		"its original": {l.Original, *body.FormLines[0].Original},
		"line":         {r.Lines[0], issue.CatalogueLine{Item: body.Lines[0].Item, Quantity: money.MustParse("4"), Original: *body.Lines[0].Original}},
	} {
		if fmt.Sprint(pair[0]) != fmt.Sprint(pair[1]) {
			t.Errorf("%s: got %v, want %v", what, pair[0], pair[1])
		}
	}
	back, err := InvoiceBodyOf(r)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Request()
	if err != nil || again.Digest != r.Digest {
		t.Errorf("InvoiceBodyOf = %+v, %v; want the original body", back, err)
	}
}

// The digest of a request without prices including VAT does not depend on that
// field, so that a repeated request is recognised after an upgrade.
func TestDigestWithoutGrossPrice(t *testing.T) {
	t.Parallel()
	body := rightBody(t)
	r, err := body.Request()
	if err != nil {
		t.Fatal(err)
	}
	r.Digest = [sha256.Size]byte{}
	text, err := json.Marshal(r)
	if err != nil || strings.Contains(string(text), "Gross") {
		t.Errorf("Marshal = %s, %v; want no field for a price that was not sent", text, err)
	}
	body.FormLines[0].Price, body.FormLines[0].GrossPrice = nil, body.FormLines[0].Price
	r, err = body.Request()
	if err != nil || r.FormLines[0].GrossPrice.String() != "1" || !r.FormLines[0].Price.IsZero() {
		t.Errorf("Request = %+v, %v; want the price including VAT", r.FormLines, err)
	}
	back, err := InvoiceBodyOf(r)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := back.Request(); err != nil || again.Digest != r.Digest {
		t.Errorf("InvoiceBodyOf = %+v, %v; want the original body", back, err)
	}
}

// The digest covers everything that is issued.
func TestDigestCoversEverything(t *testing.T) {
	t.Parallel()
	seen := map[[sha256.Size]byte]string{}
	for what, change := range map[string]func(*InvoiceBody){
		"nothing":          func(*InvoiceBody) {},
		"device":           func(b *InvoiceBody) { b.Device = uuid.Max },
		"buyer":            func(b *InvoiceBody) { b.Buyer = nil },
		"kind":             func(b *InvoiceBody) { b.Kind = 383 },
		"currency":         func(b *InvoiceBody) { b.Currency = "EUR" },
		"exchange rate":    func(b *InvoiceBody) { b.ExchangeRate = money.MustParse("3.76") },
		"end of supply":    func(b *InvoiceBody) { b.SupplyEndDate = b.SupplyDate },
		"note":             func(b *InvoiceBody) { b.Notes[0].Text = "other" },
		"price":            func(b *InvoiceBody) { b.FormLines[0].Price = decimalOrNull(money.MustParse("1.01")) },
		"gross price":      func(b *InvoiceBody) { b.FormLines[0].GrossPrice = decimalOrNull(money.MustParse("1.15")) },
		"line":             func(b *InvoiceBody) { b.Lines[0].Quantity = money.MustParse("5") },
		"discount":         func(b *InvoiceBody) { b.Allowances[0].Reason = "because" },
		"originals":        func(b *InvoiceBody) { b.Originals = nil },
		"advances":         func(b *InvoiceBody) { b.Prepaid = nil },
		"expected payable": func(b *InvoiceBody) { b.ExpectedPayable = nil },
		"reason":           func(b *InvoiceBody) { b.Reason = nil },
	} {
		body := rightBody(t)
		change(&body)
		r, err := body.Request()
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := seen[r.Digest]; taken {
			t.Errorf("changing %s and changing %s give the same digest", what, other)
		}
		seen[r.Digest] = what
	}
}
