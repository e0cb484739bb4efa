package servicetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// Generator generates random requests from the records of a scenario.
type Generator struct {
	*Scenario
	*rand.Rand
	importer trade.Client // abroad, with an identification
	n        int
}

// NewGenerator returns a generator of requests.
func (s *Scenario) NewGenerator(seed uint64) *Generator {
	s.TB.Helper()
	importer, err := s.Service.Store().ChangeClient(context.Background(), s.Operator(s.Org), s.Foreign.ID, func(c *trade.Client) error {
		c.Identifications = []org.Identification{{Type: "OTH", Value: "AE100200300"}}
		return nil
	})
	if err != nil {
		s.TB.Fatal(err)
	}
	return &Generator{Scenario: s, Rand: rand.New(rand.NewPCG(seed, 6)), importer: importer}
}

// Of returns one of the values at random.
func (d *Generator) Of(values ...any) any { return values[d.IntN(len(values))] }

// Right generates a request that must be accepted.
func (d *Generator) Right() Fields {
	d.n++
	f := Fields{"notes": []any{Fields{"language_id": d.Of("en", "ar"), "note": fmt.Sprint("ملاحظة ", d.n)}}}
	switch d.IntN(8) {
	case 0, 1, 2:
		f["transaction_code"], f["buyer"] = "0200000", d.Of(Unsent, d.Buyer.ID, d.WithoutVAT.ID)
	case 3:
		return d.Export(f)
	case 4:
		f["type_code"] = 386
	}
	currency := fmt.Sprint(d.Of("SAR", "SAR", "USD", "KWD"))
	if currency != "SAR" {
		f["currency"], f["exchange_rate"] = currency, d.Of("3.75", "12.2345", "0.5")
	}
	if d.IntN(3) == 0 {
		f["payment_means_type_code"], f["reason_id"] = "30", d.Reason.ID
	}
	var lines []any
	for range 1 + d.IntN(6) {
		lines = append(lines, d.Line(d.taxed(d.IntN(4))))
	}
	f["form_lines"] = lines
	if d.IntN(4) == 0 {
		first, _ := lines[0].(Fields) // Line always returns Fields
		f["document_level_allowances"] = []any{Fields{"allowance_amount": "0.01", "vat_category_code": first["vat_category_code"], "vat_rate": first["vat_rate"]}}
	}
	return f
}

// taxed generates a line of one of the four VAT categories.
func (d *Generator) taxed(category int) Fields {
	f := Fields{
		"item_name": d.Of("Coffee beans", "قهوة عربية محمصة", "Café <crème> & co", "Paper A4 80g"), "item_net_price": fmt.Sprintf("%d.%02d", 1+d.IntN(9999), d.IntN(100)),
		"invoiced_quantity": d.Of(1, 2, "0.333333", 12.5, "1000"), "invoiced_quantity_unit_of_measure": d.Of("PCE", "KGM", "LTR"),
	}
	reason := func(category, code, text string) {
		f["vat_category_code"], f["vat_rate"], f["vat_exemption_reason_code"], f["vat_exemption_reason_text"] = category, 0, code, text
	}
	switch category {
	case 0:
		reason("Z", "VATEX-SA-35", "Medicines and medical equipment")
	case 1:
		reason("E", "VATEX-SA-30", "Real estate transactions")
	case 2:
		reason("O", "VATEX-SA-OOS", "خارج نطاق الضريبة")
	default:
		f["vat_rate"] = d.Of(15, 5, "15.0")
	}
	return f
}

// Export turns f into an export invoice.
func (d *Generator) Export(f Fields) Fields {
	f["transaction_code"], f["buyer"] = "0100100", d.importer.ID
	line := d.taxed(0)
	line["vat_exemption_reason_code"], line["vat_exemption_reason_text"] = "VATEX-SA-32", "Export of goods"
	f["form_lines"], f["document_level_allowances"], f["type_code"] = []any{d.Line(line)}, []any{}, 388
	return f
}

// Post calls the handler directly, without a network connection.
func (d *Generator) Post(path, text string) Answer {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(text))
	r.Header.Set("Authorization", "Bearer "+d.Key)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	d.Service.Handler().ServeHTTP(w, r)
	return Answer{w.Code, w.Header(), w.Body.String()}
}

// changedClient creates a client and changes it.
func (t *Seller) changedClient(name string, change func(*trade.Client)) trade.Client {
	t.TB.Helper()
	c, err := t.Service.Store().ChangeClient(context.Background(), t.Operator(t.Org), t.Client(t.Org, name).ID, func(c *trade.Client) error {
		change(c)
		return nil
	})
	if err != nil {
		t.TB.Fatal(err)
	}
	return c
}

// Variety issues documents of every kind and waits for their final status.
func (t *Seller) Variety(random int) (ids []uuid.UUID) {
	t.TB.Helper()
	d := (&Scenario{
		Seller: t, WithoutVAT: t.changedClient("No VAT", func(c *trade.Client) { c.VATNumber = "" }),
		Foreign: t.changedClient("Foreign", func(c *trade.Client) { c.VATNumber, c.CountryCode = "", "AE" }),
	}).NewGenerator(3)
	for range random {
		ids = append(ids, t.Created(t.Standard(d.Right())))
	}
	original, advance := t.Created(t.Standard(Fields{"notes": Note("original")})), t.Created(t.Standard(Fields{"type_code": 386, "notes": Note("advance")}))
	t.Final(original)
	t.Final(advance)
	ids = append(ids, original, advance,
		t.Created(t.Note(381, original)), t.Created(t.Note(383, original)),
		t.Created(t.Standard(Fields{"notes": Note("deducts"), "add_prepaid_amount": true, "prepaid_invoices": []any{advance}})))
	for _, id := range ids {
		t.Final(id)
	}
	return ids
}
