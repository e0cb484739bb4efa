package main

import (
	"maps"
	"slices"

	"github.com/google/uuid"
)

// demoEntry is an entry of a public code list.
type demoEntry struct {
	UUID uuid.UUID `json:"uuid"`
	Code string    `json:"code"`
}

// entryID returns the id of the entry with the given code, or of the first entry
// if code is empty. It returns uuid.Nil if no entry matches.
func entryID(entries map[string]demoEntry, code string) uuid.UUID {
	names := slices.Sorted(maps.Keys(entries))
	for _, n := range names {
		if code == "" || entries[n].Code == code {
			return entries[n].UUID
		}
	}
	return uuid.Nil
}

type demoRecord = map[string]any

// demoClientRow is a client of the company. at returns the field that stores its
// id.
type demoClientRow struct {
	record demoRecord
	at     func(*demoBuyers) *uuid.UUID
}

// demoClients returns a client with a VAT number, one without, and a foreign one.
func demoClients(kind, industry uuid.UUID) []demoClientRow {
	rows := []demoClientRow{
		{demoRecord{
			"buyer_name": "Al Noor Cafes Company", "buyer_name_arabic": "شركة مقاهي النور", "vat_registration_number": "399999999800003",
			"street": "Prince Sultan Road", "building_number": "7654", "district": "Al Rawdah", "city": "Jeddah", "province_state": "Makkah Province", "postal_code": "23432",
			"street_arabic": "طريق الأمير سلطان", "district_arabic": "حي الروضة", "city_arabic": "جدة", "province_state_arabic": "منطقة مكة المكرمة",
			"contact_email": "accounts@alnoor.example", "additional_buyer_id": []demoRecord{{"type_id": "CRN", "value": "4030040001"}},
		}, func(b *demoBuyers) *uuid.UUID { return &b.WithVAT }},
		{demoRecord{
			"buyer_name": "Sara Abdullah Al Harbi", "buyer_name_arabic": "سارة عبدالله الحربي",
			"street": "Al Takhassusi Street", "building_number": "3012", "district": "Al Mohammadiyah", "city": "Riyadh", "province_state": "Riyadh Province", "postal_code": "12363",
			"street_arabic": "شارع التخصصي", "district_arabic": "حي المحمدية", "city_arabic": "الرياض", "province_state_arabic": "منطقة الرياض",
			"additional_buyer_id": []demoRecord{{"type_id": "NAT", "value": "1010101010"}},
		}, func(b *demoBuyers) *uuid.UUID { return &b.WithoutVAT }},
		{demoRecord{
			"buyer_name": "Manama Imports W.L.L.", "buyer_name_arabic": "شركة المنامة للاستيراد ذ.م.م", "street": "Government Avenue", "city": "Manama", "province_state": "Capital Governorate", "country_code": "BH",
			"street_arabic": "شارع الحكومة", "city_arabic": "المنامة", "province_state_arabic": "محافظة العاصمة",
			"additional_buyer_id": []demoRecord{{"type_id": "OTH", "value": "200012345600002"}},
		}, func(b *demoBuyers) *uuid.UUID { return &b.Foreign }},
	}
	for _, r := range rows {
		r.record["business_type"], r.record["industry"] = kind, industry
	}
	return rows
}

// demoItemRow is an item of the catalogue. at returns the field that stores its
// id.
type demoItemRow struct {
	record demoRecord
	at     func(*demoKept) *uuid.UUID
}

// demoCatalogue returns the items that the company sells. One of them has a limited
// stock.
func demoCatalogue() []demoItemRow {
	rows := []demoItemRow{
		{demoRecord{
			"item_name": "Arabic coffee with cardamom, 250 g", "item_name_arabic": "قهوة عربية محمصة بالهيل 250 جم", "item_net_price": "24.00", "unit_of_measure": "PCE",
		}, func(k *demoKept) *uuid.UUID { return &k.Items.Unlimited }},
		{demoRecord{
			"item_name": "Brass dallah (coffee pot)", "item_name_arabic": "دلة قهوة نحاسية", "item_net_price": "180.00", "unit_of_measure": "PCE", "stock": "10",
		}, func(k *demoKept) *uuid.UUID { return &k.Items.Limited }},
		{demoRecord{
			"item_name": "Harari coffee beans, green", "item_name_arabic": "بن هرري أخضر", "item_net_price": "42.50", "unit_of_measure": "KGM",
		}, func(k *demoKept) *uuid.UUID { return &k.Goods.Beans }},
		{demoRecord{
			"item_name": "Professional coffee grinder", "item_name_arabic": "مطحنة قهوة احترافية", "item_net_price": "3200.00", "unit_of_measure": "PCE",
		}, func(k *demoKept) *uuid.UUID { return &k.Goods.Grinder }},
		{demoRecord{
			"item_name": "Installation and staff training", "item_name_arabic": "تركيب المطحنة وتدريب الموظفين", "item_net_price": "450.00", "unit_of_measure": "PCE",
		}, func(k *demoKept) *uuid.UUID { return &k.Goods.Training }},
	}
	for _, r := range rows {
		r.record["vat_category_code"], r.record["vat_rate"] = "S", "15"
	}
	return rows
}
