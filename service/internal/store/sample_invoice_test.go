package store_test

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

func sampleParty(id uuid.UUID, name string) ledger.Party {
	return ledger.Party{
		ID: id, Name: name, NameArabic: "شركة " + name, VATNumber: "311111111111113", BusinessType: "a business", Industry: "an industry",
		Street: "طريق الملك فهد", AdditionalStreet: "behind \"the\" <mosque>", BuildingNumber: "1234", PlotIdentification: "9876",
		District: "العليا", City: "الرياض", ProvinceState: "Riyadh", PostalCode: "12345", CountryCode: "AE",
		ContactName: "منى", ContactEmail: "mona@example.com", ContactPhone: "+966 11 234 5678",
		Identifications: []ledger.Identity{{Type: "CRN", Value: "1"}, {Type: "OTH", Value: "ب\"2"}}, Logo: true, CreatedAt: pointerTo(instantOf(3)),
		StreetArabic: "طريق الملك فهد", AdditionalStreetArabic: "خلف \"المسجد\"", DistrictArabic: "العليا", CityArabic: "الرياض", ProvinceStateArabic: "منطقة الرياض",
	}
}

func pointerTo[T any](value T) *T { return &value }

func sampleLine(id uuid.UUID) ledger.Line {
	item, original := uuid.Max, uuid.Max
	item[0], original[0] = 1, 2
	return ledger.Line{
		ID: id, Item: &item, Original: &original, Name: "Dates & تمر", NameArabic: "تمر", Price: decimalOf("1.234567"), GrossPrice: decimalOf("1.42"), Quantity: decimalOf("3.5"), Unit: "KGM",
		Category: "Z", Rate: decimalOf("0.5"), ReasonCode: "VATEX-SA-32", ReasonText: "Export of goods",
		Net: decimalOf("4.32"), VAT: decimalOf("0.65"), Total: decimalOf("4.97"),
	}
}

var sampleRows = []ledger.Subtotal{
	{Category: "S", Rate: decimalOf("15"), Taxable: decimalOf("100.10"), VAT: decimalOf("15.02")},
	{Category: "Z", Rate: decimalOf("0"), ReasonCode: "VATEX-SA-32", ReasonText: "Export of goods", Taxable: decimalOf("7.77"), VAT: decimalOf("0")},
}

func sampleRecord(device, line uuid.UUID) ledger.Record {
	branch, buyer, reason, expected := uuid.Max, sampleParty(uuid.MustParse("02000000-0000-7000-8000-000000000001"), "Al Noor"), uuid.Max, decimalOf("123.45")
	branch[0], reason[0] = 3, 4
	return ledger.Record{
		Device: ledger.Device{
			ID: device, CommonName: "TST-1", SerialNumber: "1-Khatm|2-1|3-9", Location: "RRRD2929", UnitName: "الرياض", Industry: "Retail",
			InvoiceType: "1100", Branch: &branch, CreatedAt: pointerTo(instantOf(1)),
			Compliance: &ledger.Validity{From: instantOf(1), Until: instantOf(2)}, Production: &ledger.Validity{From: instantOf(2), Until: instantOf(900)},
		},
		Seller: sampleParty(uuid.Max, "the seller"), Buyer: &buyer, SupplyDate: "2026-11-14", SupplyEndDate: "2026-11-15",
		Currency: "EUR", ExchangeRate: decimalOf("4.1234"), PaymentMeans: "30", PaymentTerms: "خلال 30 يومًا", Reason: &reason, ReasonText: "returned",
		Notes: []ledger.Note{{Language: "ar", Text: "شكرًا"}}, Lines: []ledger.Line{sampleLine(line)},
		Allowances: []ledger.Allowance{{Amount: decimalOf("1.5"), ReasonCode: "95", Reason: "Discount", Category: "S", Rate: decimalOf("15")}},
		Advances:   []ledger.Advance{{ID: uuid.Max, Number: "ADV-2026-000001", Amount: decimalOf("11.5"), Rows: sampleRows[:1]}},
		Originals:  []ledger.Original{{ID: uuid.Max, Number: "INV-2025-000009", IssueDate: "2025-12-31"}},
		Breakdown:  sampleRows, ExpectedPayable: &expected, Print: &ledger.Print{AmountInWords: true, IBAN: "SA0380000000608010167519", Phone: "+966 11 234 5678", DueDays: 30},
		Totals: ledger.Totals{
			Lines: decimalOf("108.87"), Allowances: decimalOf("1.5"), WithoutVAT: decimalOf("107.87"), VAT: decimalOf("15.02"), VATInSAR: decimalOf("61.93"),
			WithVAT: decimalOf("122.89"), Prepaid: decimalOf("11.5"), Rounding: decimalOf("0.06"), Payable: decimalOf("123.45"),
		},
	}
}

// sampleEntry returns the next document of a chain, with all fields that Append
// writes.
func sampleEntry(s *fixture, by org.Actor, chain *issue.Chain, numbers issue.Series) issue.Entry {
	number := fmt.Sprintf("INV-%d-%06d", numbers.Year, numbers.Last)
	digest := func(of string) [32]byte { return sha256.Sum256([]byte(of + number + by.Name)) }
	share := digest("share")
	i := ledger.Invoice{
		ID: s.config.NewID(), Task: s.config.NewID(), Device: chain.ID, Number: number, Kind: invoice.TaxInvoice, Transaction: invoice.Transaction{Export: true},
		IssueDate: "2026-11-16", IssueTime: "12:34:56", IssuedAt: instantOf(int(20 + numbers.Last)), Counter: chain.Counter + 1,
		Hash: fmt.Sprintf("%044d", chain.Counter+1), PreviousHash: chain.LastHash, IdempotencyKey: "key of " + number, CreatedAt: s.config.Now(),
		QR: "AQ==" + number, Record: sampleRecord(chain.ID, s.config.NewID()), Payment: ledger.PartiallyPaid, Held: true,
		Share: ledger.Share{Digest: share[:], Sealed: sealedSample(7), Expires: instantOf(700)},
	}
	return issue.Entry{By: by, Invoice: i, Body: digest("body"), Guard: digest("guard"), XML: []byte("<Invoice>\x00" + number), Words: wordsOf(i)}
}

func wordsOf(i ledger.Invoice) issue.Words {
	w := issue.Words{Number: trade.Fold(i.Number), Key: trade.Fold(i.IdempotencyKey)}
	if b := i.Record.Buyer; b != nil {
		w.Buyer = trade.Fold(strings.Join([]string{b.Name, b.NameArabic, b.VATNumber}, " "))
	}
	return w
}

func sampleEarlier(id uuid.UUID) issue.Earlier {
	return issue.Earlier{
		ID: id, Number: "OLD-7", IssueDate: "2025-12-31", Kind: invoice.TaxInvoice, Simple: true, Buyer: uuid.Max, Currency: "EUR", Imported: true,
		WithVAT: decimalOf("122.89"), Breakdown: sampleRows,
	}
}

func sampleRemark(id uuid.UUID) ledger.Remark {
	return ledger.Remark{ID: id, Title: "Called – اتصلنا", Details: "twice,\nin vain", CreatedAt: instantOf(30), CreatedBy: "nora@example.com"}
}
