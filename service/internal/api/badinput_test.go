package api_test

import (
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// inlets returns the requests that create a client and an item and change a client
// and an item.
func inlets(h *servicetest.Instance, t testing.TB) (client, item, buyer, article servicetest.Input) {
	t.Helper()
	buyerPath, _ := h.Buyer(t)
	itemPath := "/api/items/" + servicetest.IDOf(h.AddItem(t, servicetest.GoodItem())) + "/"
	client = servicetest.Input{Name: "POST client", Schema: "ClientData", Root: "client_data", Good: servicetest.GoodClient(), Send: func(body string) servicetest.Answer { return h.TryClient(body) }}
	item = servicetest.Input{Name: "POST item", Schema: "ItemData", Root: "item_data", Good: servicetest.GoodItem(), Send: func(body string) servicetest.Answer { return h.TryItem(body) }}
	buyer = servicetest.Input{Name: "PATCH buyer", Schema: "ClientChange", Good: `{}`, Send: func(body string) servicetest.Answer { return h.Change(buyerPath, body) }}
	article = servicetest.Input{Name: "PATCH item", Schema: "ItemChange", Good: `{}`, Send: func(body string) servicetest.Answer { return h.Change(itemPath, body) }}
	return client, item, buyer, article
}

func TestBadInput_TextOfClients(t *testing.T) {
	t.Parallel()
	const (
		vat      = "must be 15 digits, the first and the last of them 3; leave it empty for a client who is not registered for VAT"
		country  = "must be a country code of two capital letters, such as SA or AE"
		email    = "must be an e-mail address such as name@example.com"
		phone    = "must be a telephone number such as +966 11 234 5678"
		noArabic = "must contain Arabic letters; leave it empty if there is no Arabic name"
		saudi    = " for a Saudi client with a VAT number"
		latin    = "must be Latin letters and digits only, without dots or dashes"
	)
	id := func(value string) string { return `[{"type_id":"OTH","value":` + value + `}]` }
	rows := []servicetest.BadValue{
		{Field: "buyer_name", Raw: `" \t\r\n "`, Path: "", Want: "Field required"},
		{Field: "buyer_name", Raw: "\"\u200f\u202b\u200e\"", Path: "", Want: "Field required"}, // invisible characters only
		{Field: "buyer_name_arabic", Raw: `"Al Noor"`, Path: "", Want: noArabic},
		{Field: "buyer_name_arabic", Raw: `"١٢٣"`, Path: "", Want: noArabic},
		{Field: "vat_registration_number", Raw: `"31111111110000"`, Path: "", Want: vat},
		{Field: "vat_registration_number", Raw: `"3111111111000033"`, Path: "", Want: vat},
		{Field: "vat_registration_number", Raw: `"211111111100003"`, Path: "", Want: vat},
		{Field: "vat_registration_number", Raw: `"311111111100002"`, Path: "", Want: vat},
		{Field: "vat_registration_number", Raw: `"31111111110000x"`, Path: "", Want: vat},
		{Field: "vat_registration_number", Raw: `"311111111100003-"`, Path: "", Want: vat},
		{Field: "vat_registration_number", Raw: `"SA311111111100003"`, Path: "", Want: vat},
		{Field: "vat_registration_number", Raw: `"٣١١١١١١١١١٠٠٠٠٤"`, Path: "", Want: vat},
		{Field: "vat_registration_number", Raw: `"𝟑11111111100003"`, Path: "", Want: vat}, // mathematical digit
		{Field: "vat_registration_number", Raw: `"31111111110000३"`, Path: "", Want: vat}, // Devanagari digit
		{Field: "vat_registration_number", Raw: `"3.11111111100003"`, Path: "", Want: vat},
		{Field: "business_type", Raw: `"B2B"`, Path: "", Want: "must be a UUID"},
		{Field: "business_type", Raw: `"6c6a6e49104652e9911b8024397176c3"`, Path: "", Want: "must be a UUID"},
		{Field: "business_type", Raw: `" 6c6a6e49-1046-52e9-911b-8024397176c3"`, Path: "", Want: "must be a UUID"},
		{Field: "business_type", Raw: `"00000000-0000-0000-0000-000000000000"`, Path: "", Want: "must be the uuid of a business type; /api/business-types/ lists them"},
		{Field: "business_type", Raw: `{"id":"6c6a6e49-1046-52e9-911b-8024397176c3"}`, Path: "", Want: "must be a UUID"},
		{Field: "industry", Raw: `"6c6a6e49-1046-52e9-911b-8024397176c3"`, Path: "", Want: "must be the uuid of an industry; /api/industries/ lists them"},
		{Field: "building_number", Raw: `"123"`, Path: "", Want: "must be 4 digits" + saudi},
		{Field: "building_number", Raw: `"12 34"`, Path: "", Want: "must be 4 digits" + saudi},
		{Field: "building_number", Raw: `"12a4"`, Path: "", Want: "must be 4 digits" + saudi},
		{Field: "building_number", Raw: `"-123"`, Path: "", Want: "must be 4 digits" + saudi},
		{Field: "postal_code", Raw: `"123456"`, Path: "", Want: "must be 5 digits" + saudi},
		{Field: "postal_code", Raw: `"1234५"`, Path: "", Want: "must be 5 digits" + saudi},
		{Field: "country_code", Raw: `"sa"`, Path: "", Want: country},
		{Field: "country_code", Raw: `"ZZ"`, Path: "", Want: country},
		{Field: "country_code", Raw: `"S"`, Path: "", Want: country},
		{Field: "country_code", Raw: `"ســ"`, Path: "", Want: "must have at most 2 characters"},
		{Field: "country_code", Raw: `"SAU"`, Path: "", Want: "must have at most 2 characters"},
		{Field: "country_code", Raw: `"966"`, Path: "", Want: "must have at most 2 characters"},
		{Field: "contact_email", Raw: `"accounts"`, Path: "", Want: email},
		{Field: "contact_email", Raw: `"a@b"`, Path: "", Want: email},
		{Field: "contact_email", Raw: `"a@@b.com"`, Path: "", Want: email},
		{Field: "contact_email", Raw: `"a b@c.com"`, Path: "", Want: email},
		{Field: "contact_email", Raw: `"a@c..com"`, Path: "", Want: email},
		{Field: "contact_email", Raw: `"Noura <a@b.com>"`, Path: "", Want: email},
		{Field: "contact_email", Raw: `"a@b.com\r\nBcc: x@y.com"`, Path: "", Want: email},
		{Field: "contact_email", Raw: `"a@b.com, c@d.com"`, Path: "", Want: email},
		{Field: "contact_phone", Raw: `"call me"`, Path: "", Want: phone},
		{Field: "contact_phone", Raw: `"12"`, Path: "", Want: phone},
		{Field: "contact_phone", Raw: `"+966<script>"`, Path: "", Want: phone},
		{Field: "contact_phone", Raw: `"📞 0500000000"`, Path: "", Want: phone},
		{Field: "additional_buyer_id", Raw: `[{"value":"1"}]`, Path: "additional_buyer_id.0.type_id", Want: "Field required"},
		{Field: "additional_buyer_id", Raw: id(`"١٠-١"`), Path: "additional_buyer_id.0.value", Want: latin},
		{Field: "additional_buyer_id", Raw: id(`"سجل"`), Path: "additional_buyer_id.0.value", Want: latin},
		{Field: "additional_buyer_id", Raw: id(`"a_b"`), Path: "additional_buyer_id.0.value", Want: latin},
		{Field: "additional_buyer_id", Raw: id(`""`), Path: "additional_buyer_id.0.value", Want: "must have at least 1 character"},
		{Field: "additional_buyer_id", Raw: id(`"  "`), Path: "additional_buyer_id.0.value", Want: "Field required"},
		{Field: "additional_buyer_id", Raw: id(`null`), Path: "additional_buyer_id.0.value", Want: "must be a string"},
		{Field: "additional_buyer_id", Raw: id(`1010010000`), Path: "additional_buyer_id.0.value", Want: "must be a string"},
		{Field: "additional_buyer_id", Raw: id(`"` + strings.Repeat("1", 128) + `"`), Path: "additional_buyer_id.0.value", Want: "must have at most 127 characters"},
		{Field: "additional_buyer_id", Raw: `[{"type_id":"crn","value":"1"}]`, Path: "additional_buyer_id.0.type_id",
			Want: "must be 'TIN', 'CRN', 'MOM', 'MLS', '700', 'SAG', 'NAT', 'GCC', 'IQA', 'PAS' or 'OTH'"},
		{Field: "additional_buyer_id", Raw: `[{"type_id":700,"value":"1"}]`, Path: "additional_buyer_id.0.type_id", Want: "must be a string"},
		{Field: "additional_buyer_id", Raw: `["CRN"]`, Path: "additional_buyer_id.0", Want: "must be an object"},
		{Field: "additional_buyer_id", Raw: `{"type_id":"CRN","value":"1"}`, Path: "", Want: "must be an array"},
	}
	h := servicetest.Open(t, nil)
	client, _, buyer, _ := inlets(h, t)
	t.Logf("%d cases", h.Refused(t, rows, client, buyer))
	for _, in := range []servicetest.Input{client, buyer} {
		servicetest.Same(t, in.Name, in.Send(in.Put(t, "additional_buyer_id", `[{},7,{"type_id":"CRN"}]`)).Problems(t), []string{
			in.At("additional_buyer_id.0.type_id") + "Field required", in.At("additional_buyer_id.0.value") + "Field required",
			in.At("additional_buyer_id.1") + "must be an object", in.At("additional_buyer_id.2.value") + "Field required",
		})
	}
}
