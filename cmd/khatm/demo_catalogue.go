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
			"buyer_name": "Al Noor Trading", "buyer_name_arabic": "شركة النور للتجارة", "vat_registration_number": "399999999800003",
			"street": "Prince Sultan Street", "building_number": "7654", "district": "Al Rawdah", "city": "Jeddah", "province_state": "Makkah", "postal_code": "23432",
			"contact_email": "accounts@alnoor.example",
		}, func(b *demoBuyers) *uuid.UUID { return &b.WithVAT }},
		{demoRecord{
			"buyer_name": "Sara Al Harbi", "buyer_name_arabic": "سارة الحربي", "street": "Al Takhassusi Street", "city": "Riyadh", "province_state": "Riyadh",
			"additional_buyer_id": []demoRecord{{"type_id": "NAT", "value": "1010101010"}},
		}, func(b *demoBuyers) *uuid.UUID { return &b.WithoutVAT }},
		{demoRecord{
			"buyer_name": "Manama Imports", "street": "Government Avenue", "city": "Manama", "province_state": "Capital", "country_code": "BH",
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
	at     func(*demoItems) *uuid.UUID
}

// demoGoods returns an item without stock control and one with a limited stock.
func demoGoods() []demoItemRow {
	return []demoItemRow{
		{demoRecord{
			"item_name": "Arabic coffee 250 g", "item_name_arabic": "قهوة عربية 250 جم", "item_net_price": "24.00", "unit_of_measure": "PCE",
			"vat_category_code": "S", "vat_rate": "15",
		}, func(i *demoItems) *uuid.UUID { return &i.Unlimited }},
		{demoRecord{
			"item_name": "Dallah coffee pot", "item_name_arabic": "دلة قهوة", "item_net_price": "180.00", "unit_of_measure": "PCE",
			"vat_category_code": "S", "vat_rate": "15", "stock": "10",
		}, func(i *demoItems) *uuid.UUID { return &i.Limited }},
	}
}
