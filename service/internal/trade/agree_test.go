package trade_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/rules"
	"khatm/sample"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/ubl"
)

var issued = invoice.Identity{Number: "INV-2026-000042", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d"}.
	At(time.Date(2026, 11, 14, 9, 15, 30, 0, invoice.Riyadh()))

// onceIssued returns the faults of a document: why it cannot be computed, what
// the schema and the official rule sheets cannot read, and every failed rule,
// including warnings.
func onceIssued(t *rapid.T, f invoice.Facts) []string {
	document, err := invoice.Compute(f)
	if err != nil {
		return []string{err.Error()}
	}
	laidOut, err := document.UBL(issued)
	if err != nil {
		return []string{err.Error()}
	}
	written, err := ubl.Write(laidOut)
	if err != nil {
		t.Fatal(err)
	}
	root, err := ubl.Parse(written.Bytes())
	if err != nil {
		return []string{err.Error()}
	}
	var faults []string
	for _, found := range append(rules.Schema(root), rules.Traps(root)...) {
		faults = append(faults, found.ID+" "+found.Path+" "+found.Got)
	}
	for _, r := range rules.CheckUnsealed(laidOut, time.Date(2026, 11, 14, 9, 16, 0, 0, invoice.Riyadh())) {
		if r.Status == rules.Failed && !shapeOfNumber(r.Rule.ID) {
			faults = append(faults, r.Rule.ID+" "+r.Places[0].Path+" "+r.Places[0].Got)
		}
	}
	return faults
}

// shapeOfNumber reports whether a rule only warns about the format of an
// identification, which is allowed: BR-KSA-F-07 to F-13.
func shapeOfNumber(rule string) bool {
	return strings.HasPrefix(rule, "BR-KSA-F-07") || strings.HasPrefix(rule, "BR-KSA-F-08") ||
		strings.HasPrefix(rule, "BR-KSA-F-09") || strings.HasPrefix(rule, "BR-KSA-F-1")
}

// invoices returns the documents that can be issued to a client: a standard one
// with a VAT number, an export with a foreign identification, and always a
// simplified one.
func invoices(c trade.Client) []invoice.Facts {
	buyer := &invoice.Buyer{
		Name: c.Name, NameArabic: c.NameArabic, VATNumber: c.VATNumber,
		Address: invoice.Address{
			Street: c.Street, AdditionalStreet: c.AdditionalStreet, BuildingNumber: c.BuildingNumber,
			Plot: c.PlotIdentification, District: c.District, City: c.City, Province: c.ProvinceState,
			PostalCode: c.PostalCode, Country: c.CountryCode,
		},
	}
	for _, id := range c.Identifications {
		buyer.IDs = append(buyer.IDs, invoice.PartyID{Scheme: id.Type, Value: id.Value})
	}
	simplified, standard := sample.Simplified(), sample.Invoice()
	simplified.Buyer, standard.Buyer = buyer, buyer
	all := []invoice.Facts{simplified}
	if c.VATNumber != "" {
		all = append(all, standard)
	}
	if c.VATNumber != "" || !c.Saudi() && len(c.Identifications) > 0 {
		standard.Transaction.Export = true
		standard.Lines = standard.Lines[:1:1]
		standard.Lines[0].Tax = invoice.Tax{Category: codes.ZeroRated, ReasonCode: codes.ExportOfGoods, ReasonText: "صادرات"}
		all = append(all, standard)
	}
	return all
}

var (
	anyText = rapid.OneOf(rapid.String(), rapid.Just(""), rapid.StringMatching(`[ \n\tاأبa1٣\x{200f}<&"']{0,12}`),
		rapid.Map(rapid.SampledFrom([]int{127, 128, 1000, 1001}), func(n int) string { return strings.Repeat("ن", n) }))
	arabic = rapid.StringMatching(`[ابتثجحخدذرزسشصضطظعغفقكلمنهويأإآةى]{2,12}( [ابتثجحخدذرزسشصضطظعغفقكلمنهوي]{2,12}){0,4}`)
	latin  = rapid.StringMatching(`[A-Z][a-zé&<>'"-]{1,12}( [A-Za-z0-9.]{1,12}){0,4}`)
	name   = rapid.OneOf(arabic, latin)
	vat    = rapid.StringMatching(`3[0-9]{13}3`).Filter(func(n string) bool { return n != sample.Seller().VATNumber })
)

// rightClient generates a valid client.
func rightClient(t *rapid.T) trade.Client {
	c := trade.Client{
		Name:         name.Draw(t, "name"),
		NameArabic:   rapid.OneOf(arabic, rapid.Just("")).Draw(t, "Arabic name"),
		VATNumber:    rapid.OneOf(vat, rapid.Just("")).Draw(t, "VAT number"),
		BusinessType: rapid.SampledFrom(codes.BusinessTypes()).Draw(t, "business type").UUID,
		Industry:     rapid.SampledFrom(codes.Industries()).Draw(t, "industry").UUID,
		Address: org.Address{
			Street: name.Draw(t, "street"), AdditionalStreet: rapid.OneOf(name, rapid.Just("")).Draw(t, "second street"),
			BuildingNumber: rapid.StringMatching(`[0-9]{4}`).Draw(t, "building"), District: name.Draw(t, "district"),
			City: name.Draw(t, "city"), ProvinceState: name.Draw(t, "region"),
			PostalCode:  rapid.StringMatching(`[0-9٠-٩]{5}`).Draw(t, "postal code"),
			CountryCode: rapid.OneOf(rapid.SampledFrom([]string{"SA", ""}), rapid.SampledFrom(countries())).Draw(t, "country"),
		},
		ContactEmail: rapid.StringMatching(`([a-z0-9]{1,9}@[a-z]{1,9}\.sa)?`).Draw(t, "e-mail"),
		ContactPhone: rapid.StringMatching(`(\+966 5[0-9] [0-9]{7})?`).Draw(t, "phone"),
	}
	for _, idType := range codes.BuyerIDTypes() {
		if rapid.IntRange(0, 9).Draw(t, "has "+idType.Code) == 0 {
			value := rapid.StringMatching(`[0-9A-Za-z]{1,15}`).Draw(t, idType.Code)
			c.Identifications = append(c.Identifications, org.Identification{Type: idType.Code, Value: value})
		}
	}
	return c
}

func countries() []string {
	var all []string
	for _, c := range codes.Countries() {
		all = append(all, c.Code)
	}
	return all
}

func TestInterface_2_9_InvoicesOfEveryAcceptedClientPassTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rightClient(t)
		if problems := c.Check(); problems != nil {
			t.Fatalf("valid client refused: %q", told(problems))
		}
		for _, f := range invoices(c) {
			if faults := onceIssued(t, f); len(faults) > 0 {
				t.Fatalf("%v invoice to accepted client %+v fails: %q", f.Transaction, c, faults)
			}
		}
	})
}

// Arbitrary input that is accepted must pass the rules as well.
func TestInterface_2_9_NoAcceptedTextBreaksAnInvoice(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		c := rightClient(t)
		fields := []*string{
			&c.Name, &c.NameArabic, &c.VATNumber, &c.Street, &c.AdditionalStreet, &c.BuildingNumber, &c.PlotIdentification,
			&c.District, &c.City, &c.ProvinceState, &c.PostalCode, &c.CountryCode,
		}
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			*rapid.SampledFrom(fields).Draw(t, "field") = anyText.Draw(t, "text")
		}
		if rapid.Bool().Draw(t, "identified") {
			id := org.Identification{Type: rapid.OneOf(rapid.SampledFrom([]string{"CRN", "OTH", " NAT"}), anyText).Draw(t, "type"), Value: anyText.Draw(t, "value")}
			c.Identifications = append(c.Identifications, id)
		}
		if c.Check() != nil {
			return
		}
		accepted++
		for _, f := range invoices(c) {
			if faults := onceIssued(t, f); len(faults) > 0 {
				t.Fatalf("%v invoice to accepted client %+v fails: %q", f.Transaction, c, faults)
			}
		}
	})
	if accepted == 0 {
		t.Error("no generated client was accepted")
	}
}

func TestInterface_2_3_InvoicesOfEveryAcceptedItemPassTheRules(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		reason := rapid.SampledFrom(codes.Reasons()).Draw(t, "reason")
		i := trade.Item{
			Name:     rapid.OneOf(name, anyText).Draw(t, "name"),
			Price:    money.MustParse(rapid.StringMatching(`[0-9]{1,10}(\.[0-9]{1,3})?`).Draw(t, "price")),
			Unit:     rapid.OneOf(rapid.SampledFrom([]string{"PCE", "KGM"}), anyText).Draw(t, "unit"),
			Category: codes.StandardRated,
			Rate:     money.MustParse(rapid.SampledFrom([]string{"15", "5", "0"}).Draw(t, "rate")),
		}
		if rapid.Bool().Draw(t, "untaxed") {
			i.Category, i.Rate, i.ReasonCode = reason.Category, money.FromInt(0), reason.Code
			i.ReasonText = rapid.OneOf(name, anyText).Draw(t, "reason text")
		}
		if i.Check() != nil {
			return
		}
		accepted++
		f := sample.Invoice()
		f.Buyer.IDs = []invoice.PartyID{{Scheme: codes.NationalID, Value: "1083726154"}} // required for education and health
		f.Lines = []invoice.Line{{
			Name: i.Name, Price: i.Price, Quantity: money.FromInt(3), Unit: i.Unit,
			Tax: invoice.Tax{Category: i.Category, Rate: i.Rate, ReasonCode: i.ReasonCode, ReasonText: i.ReasonText},
		}}
		if faults := onceIssued(t, f); len(faults) > 0 {
			t.Fatalf("invoice with accepted item %+v fails: %q", i, faults)
		}
	})
	if accepted == 0 {
		t.Error("no generated item was accepted")
	}
}

func TestInterface_2_5_InvoicesOfEveryAcceptedReasonPassTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := trade.Reason{Description: rapid.OneOf(name, anyText).Draw(t, "description")}
		if r.Check() != nil {
			return
		}
		f := sample.Invoice()
		f.PaymentTerms = r.Description
		if faults := onceIssued(t, f); len(faults) > 0 {
			t.Fatalf("invoice with accepted reason %q fails: %q", r.Description, faults)
		}
	})
}
