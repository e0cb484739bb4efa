// Package sample provides valid sample documents for tests, benchmarks and
// demonstrations: a few typical parties and invoices, a document for every
// combination of document type, VAT categories and currency ([Every]), random
// documents ([Random]), and a device that numbers, chains and signs them
// ([Device]).
//
// The parties are fictitious. All values are constant or come from the random
// source that the caller passes, so the same call always returns the same
// documents.
package sample

import (
	"khatm/invoice"
	"khatm/money"
)

// Seller returns the seller of all samples.
func Seller() invoice.Seller {
	return invoice.Seller{
		Name:       "Khatm Demo Trading",
		NameArabic: "شركة ختم التجريبية",
		VATNumber:  "310175397400003",
		ID:         invoice.PartyID{Scheme: "CRN", Value: "1010183482"},
		Address: invoice.Address{
			Street: "طريق الملك فهد", BuildingNumber: "8091", District: "حي العليا",
			City: "الرياض", Province: "منطقة الرياض", PostalCode: "12214", Country: "SA",
		},
	}
}

// Business returns a Saudi buyer with a VAT number.
func Business() *invoice.Buyer {
	return &invoice.Buyer{
		Name:       "Al Noor Stationery Est.",
		NameArabic: "مؤسسة النور للقرطاسية",
		VATNumber:  "311287654900003",
		IDs:        []invoice.PartyID{{Scheme: "CRN", Value: "4030276644"}},
		Address: invoice.Address{
			Street: "شارع فلسطين", AdditionalStreet: "برج الأندلس", BuildingNumber: "3542", Plot: "7261",
			District: "حي الحمراء", City: "جدة", PostalCode: "23321", Country: "SA",
		},
	}
}

// Citizen returns a person with a national ID, which zero-rated private
// education and healthcare require.
func Citizen() *invoice.Buyer {
	return &invoice.Buyer{
		NameArabic: "سارة بنت عبدالله القحطاني",
		IDs:        []invoice.PartyID{{Scheme: "NAT", Value: "1083726154"}},
		Address: invoice.Address{
			Street: "شارع الأمير محمد", BuildingNumber: "2210", District: "حي الشاطئ",
			City: "الدمام", PostalCode: "32413", Country: "SA",
		},
	}
}

// Foreigner returns a buyer outside Saudi Arabia.
func Foreigner() *invoice.Buyer {
	return &invoice.Buyer{
		Name: "Müller & Söhne GmbH",
		IDs:  []invoice.PartyID{{Scheme: "OTH", Value: "DE811907980"}},
		Address: invoice.Address{
			Street: "Königsallee 27", City: "Düsseldorf", PostalCode: "40212", Country: "DE",
		},
	}
}

// Simplified returns a simplified invoice as a point of sale sends it: a small
// sale to a consumer, paid in cash.
func Simplified() invoice.Facts {
	return invoice.Facts{
		Kind:         invoice.TaxInvoice,
		Transaction:  invoice.Transaction{Simplified: true},
		SupplyDate:   "2026-11-14",
		Currency:     "SAR",
		ExchangeRate: money.FromInt(1),
		PaymentMeans: "10",
		Seller:       Seller(),
		Lines: []invoice.Line{
			{Name: "قهوة عربية 250 جم", Price: money.MustParse("31.30"), Quantity: money.FromInt(2), Unit: "PCE", Tax: Standard("15")},
			{Name: "تمر سكري فاخر", Price: money.MustParse("48.70"), Quantity: money.MustParse("1.250"), Unit: "KGM", Tax: Standard("15")},
		},
	}
}

// Invoice returns a standard invoice as an ERP system sends it: a sale to a
// business on credit.
func Invoice() invoice.Facts {
	return invoice.Facts{
		Kind:          invoice.TaxInvoice,
		SupplyDate:    "2026-11-13",
		SupplyEndDate: "2026-11-14",
		Currency:      "SAR",
		ExchangeRate:  money.FromInt(1),
		PaymentMeans:  "30",
		PaymentTerms:  "السداد خلال 30 يومًا",
		Notes:         []invoice.Note{{Language: "ar", Text: "شكرًا لتعاملكم معنا"}},
		Seller:        Seller(),
		Buyer:         Business(),
		Lines: []invoice.Line{
			{Name: "ورق طباعة A4", Price: money.MustParse("18.95"), Quantity: money.FromInt(120), Unit: "BOX", Tax: Standard("15")},
			{Name: "خدمة توصيل", Price: money.MustParse("150"), Quantity: money.FromInt(1), Unit: "PCE", Tax: Standard("15")},
		},
	}
}

// Standard returns VAT category S at the given rate.
func Standard(rate string) invoice.Tax {
	return invoice.Tax{Category: "S", Rate: money.MustParse(rate)}
}
