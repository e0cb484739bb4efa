package store_test

import (
	"strings"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// The samples set every field to a different value, so that the tests detect
// swapped columns.

func sampleAddress(country string) org.Address {
	return org.Address{
		Street: "طريق الملك فهد", AdditionalStreet: "behind \"the\" mosque's door", BuildingNumber: "1234", PlotIdentification: "9876",
		District: "العليا", City: "الرياض", ProvinceState: "Riyadh; DROP TABLE client", PostalCode: "12345", CountryCode: country,
		StreetArabic: "شارع", AdditionalStreetArabic: "خلف الجامع", DistrictArabic: "حي", CityArabic: "مدينة", ProvinceStateArabic: "منطقة",
	}
}

func sampleOrganisation(id uuid.UUID) org.Organisation {
	return org.Organisation{
		ID: id, Name: "Khatm & Sons", NameArabic: "ختم وأبناؤه", VATNumber: "300000000000003",
		Identification: org.Identification{Type: "CRN", Value: "1010101010"},
		Address:        sampleAddress("SA"),
		Settings:       org.Settings{AmountInWords: true, IBAN: "SA0380000000608010167519", Phone: "+966 11", DueDays: 30},
		Logo:           "logos/first.png", Status: org.Suspended, Plan: "starter", CreatedAt: instantOf(1),
	}
}

func sampleBranch(id uuid.UUID) org.Branch {
	return org.Branch{
		ID: id, Name: "فرع جدة", Identification: org.Identification{Type: "MOM", Value: "77"},
		Address: sampleAddress("SA"), Active: true, CreatedAt: instantOf(2),
	}
}

func samplePerson(id uuid.UUID) org.Person {
	return org.Person{ID: id, Email: id.String() + "@example.com", Name: "نورة O'Neil", Disabled: true, CreatedAt: instantOf(3)}
}

func sampleKey(id uuid.UUID) org.Key {
	revoked := instantOf(5)
	return org.Key{
		ID: id, Name: "svc_" + id.String()[29:] + "_", Title: "till 3 – صندوق", Role: org.CreateInvoice,
		Scopes: []org.Scope{org.InvoiceCreate, org.InvoiceGet}, CreatedAt: instantOf(4), CreatedBy: "nora@example.com", RevokedAt: &revoked,
	}
}

func sampleClient(id uuid.UUID) trade.Client {
	return trade.Client{
		ID: id, Name: "Buyer – مشترٍ", NameArabic: "المشتري", VATNumber: "311111111111113", BusinessType: "a business", Industry: "an industry",
		Address:     sampleAddress("AE"),
		ContactName: "منى", ContactEmail: "mona@example.com", ContactPhone: "+966 11 234 5678",
		Identifications: []org.Identification{{Type: "CRN", Value: "1"}, {Type: "OTH", Value: "ب\"2"}},
		Logo:            "logos/buyer.png", CreatedAt: instantOf(6),
	}
}

func sampleItem(id uuid.UUID) trade.Item {
	stock := decimalOf("12.345678")
	return trade.Item{
		ID: id, Name: "Dates, تمر", NameArabic: "تمر سكري", Description: "of the\nfirst kind", SKU: "SKU " + id.String(), Barcode: id.String(), Price: decimalOf("999999999.99"), Unit: "KGM",
		Category: "Z", Rate: decimalOf("0.5"), ReasonCode: "VATEX-SA-32", ReasonText: "Export of goods", Stock: &stock,
		Images: []trade.Image{{Key: "items/1.png", Type: "image/png"}, {Key: "items/2.jpg", Type: "image/jpeg"}},
		Active: true, CreatedAt: instantOf(7),
	}
}

func sampleReason(id uuid.UUID) trade.Reason {
	return trade.Reason{ID: id, Description: "خلال 30 يومًا", Active: true, DueDays: new(45), CreatedAt: instantOf(8)}
}

func sampleView(id uuid.UUID) org.View {
	return org.View{ID: id, List: "invoices", Name: "Rejected", Query: "invoice_status=NOT_CLEARED&search_text=نور", CreatedAt: instantOf(9)}
}

func sampleDevice(id uuid.UUID, branch *uuid.UUID) device.Device {
	return device.Device{
		ID: id, Branch: branch, Environment: device.Simulator, CommonName: "TST-1", SerialNumber: "1-Khatm|2-1|3-" + id.String(),
		Location: "RRRD2929", UnitName: "الرياض", Industry: "Retail", InvoiceType: device.Both, Status: device.PCSIDGenerated,
		Compliance: &device.Certificate{NotBefore: instantOf(9), NotAfter: instantOf(10)},
		Production: &device.Certificate{NotBefore: instantOf(11), NotAfter: instantOf(12)},
		Token:      "a certificate", Counter: 1 << 40, LastHash: strings.Repeat("h", 44), LastIssuedAt: instantOf(14),
		Parked: true, ParkedWhy: "401 since noon", Retired: true, CreatedAt: instantOf(13),
	}
}

func decimalOf(text string) money.Decimal {
	d, err := money.Parse(text)
	if err != nil {
		panic(err) // the samples are valid
	}
	return d
}
