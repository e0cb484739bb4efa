package issue_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

// asJSON returns a value as JSON.
func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The record contains the parties, the device and the lines at the time of
// issue.
func TestRecord(t *testing.T) {
	t.Parallel()
	s := open(t)
	got := s.create(standard(note("Thank you"), lines(zero("50"), lineOf("100", "2", "15")), func(r *issue.Request) { r.FormLines[1].Unit = "BOX" })).Record
	id := firstDevice
	same(t, "device", asJSON(t, got.Device), asJSON(t, ledger.Device{
		ID: id, CommonName: "TST-1", SerialNumber: "1-Khatm|2-1|3-1", Location: "RRRD2929", UnitName: "Head office", Industry: "Retail", InvoiceType: "1100",
		Production: &ledger.Validity{From: time.Date(2025, 11, 15, 9, 0, 0, 0, time.UTC), Until: time.Date(2030, 11, 15, 9, 0, 0, 0, time.UTC)}, CreatedAt: &time.Time{},
	}))
	same(t, "seller", asJSON(t, got.Seller), asJSON(t, ledger.Party{
		ID: organisationID, Name: "Khatm Demo Trading", NameArabic: "شركة ختم", VATNumber: "310175397400003",
		Street: "King Fahd Road", AdditionalStreet: "Tower 3", BuildingNumber: "8091", PlotIdentification: "7261", District: "Al Olaya",
		City: "Riyadh", ProvinceState: "Riyadh Region", PostalCode: "12214", CountryCode: "SA",
		Identifications: []ledger.Identity{{Type: "CRN", Value: "1010183482"}},
	}))
	same(t, "buyer", asJSON(t, got.Buyer), asJSON(t, ledger.Party{
		ID: buyerID, Name: "Al Noor Stationery", NameArabic: "مؤسسة النور", VATNumber: "311287654900003", BusinessType: "b2b", Industry: "retail",
		Street: "Palestine Street", AdditionalStreet: "Annex", BuildingNumber: "3542", PlotIdentification: "1111", District: "Al Hamra",
		City: "Jeddah", ProvinceState: "Makkah Region", PostalCode: "23321", CountryCode: "SA",
		ContactName: "Sara", ContactEmail: "sara@example.com", ContactPhone: "+966501234567",
		Identifications: []ledger.Identity{{Type: "CRN", Value: "4030276644"}}, CreatedAt: &time.Time{},
	}))
	want := []ledger.Line{
		{
			Name: "Medicine", Price: dec("50"), Quantity: dec("1"), Unit: "PCE", Category: "Z", ReasonCode: "VATEX-SA-35", ReasonText: "Medicines",
			Net: dec("50"), Total: dec("50"),
		},
		{Name: "Desk lamp", Price: dec("100"), Quantity: dec("2"), Unit: "BOX", Category: "S", Rate: dec("15"), Net: dec("200"), VAT: dec("30"), Total: dec("230")},
	}
	if got.Lines[0].ID == got.Lines[1].ID {
		t.Error("two lines have the same id")
	}
	for n := range want {
		want[n].ID = got.Lines[n].ID
		same(t, fmt.Sprint("line ", n), asJSON(t, got.Lines[n]), asJSON(t, want[n]))
	}
	same(t, "breakdown", asJSON(t, got.Breakdown), asJSON(t, []ledger.Subtotal{
		{Category: "Z", ReasonCode: "VATEX-SA-35", ReasonText: "Medicines", Taxable: dec("50")},
		{Category: "S", Rate: dec("15"), Taxable: dec("200"), VAT: dec("30")},
	}))
	same(t, "notes", asJSON(t, got.Notes), asJSON(t, []ledger.Note{{Language: "en", Text: "Thank you"}}))
	same(t, "supply", got.SupplyDate+" "+got.SupplyEndDate, "2026-11-14 2026-11-15")
	same(t, "payment means", got.PaymentMeans, "10")
}

// A catalogue line has the name, price, unit and VAT of its item.
func TestRecordOfItems(t *testing.T) {
	t.Parallel()
	s := open(t)
	got := s.create(standard(items(paper, "2"), items(chairs, "3"))).Record.Lines
	same(t, "items", *got[0].Item == paper && *got[1].Item == chairs, true)
	same(t, "first", got[0].Name+" "+got[0].Unit+" "+got[0].Net.Fixed2(), "Paper A4 BOX 37.90")
	same(t, "second", got[1].Name+" "+got[1].Unit+" "+got[1].Net.Fixed2(), "Office chair PCE 300.00")
	written := s.create(standard()).Record.Lines[0]
	same(t, "item of a form line", written.Item, nil)
}

// An entry contains the actor, the digest of the data and the search texts.
func TestEntry(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := key(standard(), "Ticket-É")
	s.create(r)
	s.create(standard(simplified))
	e := s.book.entries[0]
	same(t, "by", e.By.Name, "svc_1")
	same(t, "digest", e.Body, r.Digest)
	same(t, "payment", e.Invoice.Payment, ledger.Pending)
	same(t, "status", e.Invoice.Status, ledger.Unanswered)
	same(t, "words", fmt.Sprintf("%s|%s|%s", e.Words.Number, e.Words.Key, e.Words.Buyer), "inv2026000001|tickete|al noor stationery موسسه النور 311287654900003")
	same(t, "words without a buyer", s.book.entries[1].Words.Buyer, "")
	if e.Invoice.ID == e.Invoice.Task || e.Guard == issue.Digest(e.Body) {
		t.Error("Task equals ID, or Guard equals Body")
	}
}
