package service_test

import (
	"log/slog"

	"khatm/codes"
)

func anyIndustry() string { return codes.Industries()[0].UUID }

// goodClient is client_data that is accepted.
func goodClient() string {
	return `{"buyer_name":"Al Noor Trading","buyer_name_arabic":"شركة النور للتجارة","vat_registration_number":"311111111100003",
		"business_type":"6c6a6e49-1046-52e9-911b-8024397176c3","industry":"` + anyIndustry() + `",
		"street":"King Fahd Road","building_number":"1234","district":"Al Olaya","city":"Riyadh","province_state":"Riyadh Province","postal_code":"12345",
		"contact_email":"accounts@alnoor.example","additional_buyer_id":[{"type_id":"CRN","value":"1010010000"}]}`
}

// goodItem is item_data that is accepted.
func goodItem() string {
	return `{"item_name":"Laptop 15 inch","item_net_price":"4200.00","unit_of_measure":"PCE","vat_category_code":"S","vat_rate":15}`
}

// quiet is a log that nobody reads.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
