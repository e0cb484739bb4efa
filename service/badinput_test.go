package service_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// inlet is a place that takes a JSON object.
type inlet struct {
	name   string
	schema string // of the document
	root   string // what paths begin with
	good   string // an object that is accepted
	send   func(body string) answer

	together []any // fields of which one sentence tells that they are missing
}

// inlets are the four places: two that create and two that change.
func (h *house) inlets(t testing.TB) (client, item, buyer, article inlet) {
	t.Helper()
	buyerPath, _ := h.buyer(t)
	itemPath := "/api/items/" + idOf(h.addItem(t, goodItem())) + "/"
	client = inlet{name: "POST client", schema: "ClientData", root: "client_data", good: goodClient(), send: func(body string) answer { return h.tryClient(body) }}
	item = inlet{name: "POST item", schema: "ItemData", root: "item_data", good: goodItem(), send: func(body string) answer { return h.tryItem(body) }}
	buyer = inlet{name: "PATCH buyer", schema: "ClientChange", good: `{}`, send: func(body string) answer { return h.change(buyerPath, body) }}
	article = inlet{name: "PATCH item", schema: "ItemChange", good: `{}`, send: func(body string) answer { return h.change(itemPath, body) }}
	return client, item, buyer, article
}

// put is the good object with a member replaced by a text, which need be no JSON.
func (i inlet) put(t testing.TB, field, raw string) string {
	t.Helper()
	rest := strings.TrimSuffix(with(t, i.good, record{field: absent{}}), "}")
	if rest != "{" {
		rest += ","
	}
	return rest + `"` + field + `":` + raw + "}"
}

// told is what is told of a row.
func (i inlet) told(row bad) string {
	path := row.path
	if path == "" {
		path = row.field
	}
	if (row.raw == `""` || row.raw == `null`) && slices.Contains(i.together, any(row.field)) {
		return i.at("") + "Value error, Missing required fields: " + row.field
	}
	return i.at(path) + row.want
}

// at is the path of a field in what is told.
func (i inlet) at(path string) string {
	switch {
	case path == "" && i.root == "":
		return "body: "
	case i.root == "":
		return path + ": "
	case path == "":
		return i.root + ": "
	}
	return i.root + "." + path + ": "
}

// bad is a value of a field, the path that is told if it is another, and what
// is told of it.
type bad struct{ field, raw, path, want string }

// refused sends every row to every inlet and counts them. Nothing may come of it.
func (h *house) refused(t testing.TB, rows []bad, to ...inlet) int {
	t.Helper()
	before := h.snapshot(h.org)
	for _, in := range to {
		for _, row := range rows {
			a := in.send(in.put(t, row.field, row.raw))
			if a.status != http.StatusBadRequest {
				t.Errorf("%s %s %.60s: got %d %.200s", in.name, row.field, row.raw, a.status, a.body)
				continue
			}
			same(t, in.name+" "+row.field+" "+row.raw[:min(60, len(row.raw))], a.problems(t), []string{in.told(row)})
		}
	}
	same(t, "what is kept", h.snapshot(h.org), before)
	return len(rows) * len(to)
}

func TestBadInput_TextOfClients(t *testing.T) {
	const (
		vat      = "Input should be 15 digits, the first and the last of them 3; leave it empty for a client who is not registered for VAT"
		country  = "Input should be a country code of two capital letters, such as SA or AE"
		email    = "Input should be an e-mail address such as name@example.com"
		phone    = "Input should be a telephone number such as +966 11 234 5678"
		noArabic = "Input should have Arabic letters; leave it empty if there is no Arabic name"
		saudi    = " for a Saudi client with a VAT number"
		latin    = "Input should be Latin letters and digits only, without dots or dashes"
	)
	id := func(value string) string { return `[{"type_id":"OTH","value":` + value + `}]` }
	rows := []bad{
		{"buyer_name", `" \t\r\n "`, "", "Field required"},
		{"buyer_name", "\"\u200f\u202b\u200e\"", "", "Field required"}, // nothing that shows
		{"buyer_name_arabic", `"Al Noor"`, "", noArabic},
		{"buyer_name_arabic", `"١٢٣"`, "", noArabic},
		{"vat_registration_number", `"31111111110000"`, "", vat},
		{"vat_registration_number", `"3111111111000033"`, "", vat},
		{"vat_registration_number", `"211111111100003"`, "", vat},
		{"vat_registration_number", `"311111111100002"`, "", vat},
		{"vat_registration_number", `"31111111110000x"`, "", vat},
		{"vat_registration_number", `"311111111100003-"`, "", vat},
		{"vat_registration_number", `"SA311111111100003"`, "", vat},
		{"vat_registration_number", `"٣١١١١١١١١١٠٠٠٠٤"`, "", vat},
		{"vat_registration_number", `"𝟑11111111100003"`, "", vat}, // a digit of mathematics
		{"vat_registration_number", `"31111111110000३"`, "", vat}, // a digit of Hindi
		{"vat_registration_number", `"3.11111111100003"`, "", vat},
		{"business_type", `"B2B"`, "", "Input should be a valid UUID"},
		{"business_type", `"6c6a6e49104652e9911b8024397176c3"`, "", "Input should be a valid UUID"},
		{"business_type", `" 6c6a6e49-1046-52e9-911b-8024397176c3"`, "", "Input should be a valid UUID"},
		{"business_type", `"00000000-0000-0000-0000-000000000000"`, "", "Input should be the uuid of a business type; /api/business-types/ lists them"},
		{"business_type", `{"uuid":"6c6a6e49-1046-52e9-911b-8024397176c3"}`, "", "Input should be a valid UUID"},
		{"industry", `"6c6a6e49-1046-52e9-911b-8024397176c3"`, "", "Input should be the uuid of an industry; /api/industries/ lists them"},
		{"building_number", `"123"`, "", "Input should be 4 digits" + saudi},
		{"building_number", `"12 34"`, "", "Input should be 4 digits" + saudi},
		{"building_number", `"12a4"`, "", "Input should be 4 digits" + saudi},
		{"building_number", `"-123"`, "", "Input should be 4 digits" + saudi},
		{"postal_code", `"123456"`, "", "Input should be 5 digits" + saudi},
		{"postal_code", `"1234५"`, "", "Input should be 5 digits" + saudi},
		{"country_code", `"sa"`, "", country},
		{"country_code", `"ZZ"`, "", country},
		{"country_code", `"S"`, "", country},
		{"country_code", `"ســ"`, "", "String should have at most 2 characters"},
		{"country_code", `"SAU"`, "", "String should have at most 2 characters"},
		{"country_code", `"966"`, "", "String should have at most 2 characters"},
		{"contact_email", `"accounts"`, "", email},
		{"contact_email", `"a@b"`, "", email},
		{"contact_email", `"a@@b.com"`, "", email},
		{"contact_email", `"a b@c.com"`, "", email},
		{"contact_email", `"a@c..com"`, "", email},
		{"contact_email", `"Noura <a@b.com>"`, "", email},
		{"contact_email", `"a@b.com\r\nBcc: x@y.com"`, "", email},
		{"contact_email", `"a@b.com, c@d.com"`, "", email},
		{"contact_phone", `"call me"`, "", phone},
		{"contact_phone", `"12"`, "", phone},
		{"contact_phone", `"+966<script>"`, "", phone},
		{"contact_phone", `"📞 0500000000"`, "", phone},
		{"additional_buyer_id", `[{"value":"1"}]`, "additional_buyer_id.0.type_id", "Field required"},
		{"additional_buyer_id", id(`"١٠-١"`), "additional_buyer_id.0.value", latin},
		{"additional_buyer_id", id(`"سجل"`), "additional_buyer_id.0.value", latin},
		{"additional_buyer_id", id(`"a_b"`), "additional_buyer_id.0.value", latin},
		{"additional_buyer_id", id(`""`), "additional_buyer_id.0.value", "String should have at least 1 character"},
		{"additional_buyer_id", id(`"  "`), "additional_buyer_id.0.value", "Field required"},
		{"additional_buyer_id", id(`null`), "additional_buyer_id.0.value", "Input should be a valid string"},
		{"additional_buyer_id", id(`1010010000`), "additional_buyer_id.0.value", "Input should be a valid string"},
		{"additional_buyer_id", id(`"` + strings.Repeat("1", 128) + `"`), "additional_buyer_id.0.value", "String should have at most 127 characters"},
		{"additional_buyer_id", `[{"type_id":"crn","value":"1"}]`, "additional_buyer_id.0.type_id",
			"Input should be 'TIN', 'CRN', 'MOM', 'MLS', '700', 'SAG', 'NAT', 'GCC', 'IQA', 'PAS' or 'OTH'"},
		{"additional_buyer_id", `[{"type_id":700,"value":"1"}]`, "additional_buyer_id.0.type_id", "Input should be a valid string"},
		{"additional_buyer_id", `["CRN"]`, "additional_buyer_id.0", "Input should be a valid dictionary"},
		{"additional_buyer_id", `{"type_id":"CRN","value":"1"}`, "", "Input should be a valid list"},
	}
	h := open(t, nil)
	client, _, buyer, _ := h.inlets(t)
	t.Logf("%d rows", h.refused(t, rows, client, buyer))
	for _, in := range []inlet{client, buyer} {
		same(t, in.name, in.send(in.put(t, "additional_buyer_id", `[{},7,{"type_id":"CRN"}]`)).problems(t), []string{
			in.at("additional_buyer_id.0.type_id") + "Field required", in.at("additional_buyer_id.0.value") + "Field required",
			in.at("additional_buyer_id.1") + "Input should be a valid dictionary", in.at("additional_buyer_id.2.value") + "Field required",
		})
	}
}
