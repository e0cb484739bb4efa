package service_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"khatm/service/internal/org"
)

const clientsPath = "/v1/api/onboarding/organizations/clients/"

// leastClient is client_data of what every client needs, and no more.
func leastClient() string {
	return `{"buyer_name":"Cash customer","business_type":"cd25e53c-5546-5d8c-ac0b-3cf80c9d14a3","industry":"` + anyIndustry() + `","street":"Tahlia","province_state":"Makkah"}`
}

// wantBuyer is the record of goodClient, changed by some fields.
func wantBuyer(id any, changes record) record {
	want := record{
		"uuid": id, "buyer_name": "Al Noor Trading", "buyer_name_arabic": "شركة النور للتجارة", "vat_registration_number": "311111111100003",
		"business_type": record{"uuid": "6c6a6e49-1046-52e9-911b-8024397176c3", "code": "1000", "description": "B2B"},
		"industry":      record{"uuid": anyIndustry(), "code": "RETAIL_TRADE", "description": "Retail trade"},
		"street":        "King Fahd Road", "additional_street": "", "building_number": "1234", "plot_identification": "",
		"district": "Al Olaya", "city": "Riyadh", "province_state": "Riyadh Province", "postal_code": "12345", "country_code": "SA",
		"contact_name": "", "contact_email": "accounts@alnoor.example", "contact_phone": "",
		"additional_buyer_id": []any{record{"type_id": "CRN", "value": "1010010000"}},
		"logo_url":            nil, "created_at": "2026-11-15T12:00:00+03:00",
	}
	maps.Copy(want, changes)
	return want
}

func TestInterface_4_3_CreateClientAnswers201WithLocation(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		a := h.tryClient(goodClient())
		made := a.wants(t, http.StatusCreated)
		at := "/api/buyers/" + idOf(made) + "/"
		if got := a.header.Get("Location"); got != at {
			t.Errorf("Location is %q, want %q", got, at)
		}
		same(t, "the answer", made, wantBuyer(made["uuid"], record{"message": "Client created", "location": at}))
		same(t, "read at the location", h.read(t, at), wantBuyer(made["uuid"], nil))
		same(t, "in the list", h.read(t, "/api/buyers/")["buyers"], any([]any{wantBuyer(made["uuid"], nil)}))
	})
}

func TestInterface_2_9_ClientOfTheRequiredFieldsOnly(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		made := h.addClient(t, leastClient())
		want := wantBuyer(made["uuid"], record{
			"buyer_name": "Cash customer", "street": "Tahlia", "province_state": "Makkah",
			"business_type": record{"uuid": "cd25e53c-5546-5d8c-ac0b-3cf80c9d14a3", "code": "0100", "description": "B2C"},
			"country_code":  "SA", "additional_buyer_id": []any{},
		})
		for _, name := range []string{"buyer_name_arabic", "vat_registration_number", "building_number", "district", "city", "postal_code", "contact_email"} {
			want[name] = ""
		}
		same(t, "the record", h.read(t, "/api/buyers/"+idOf(made)+"/"), want)
	})
}

func TestInterface_2_9_RequiredFieldsOfAClient(t *testing.T) {
	h := open(t, nil)
	for _, field := range []string{"street", "province_state", "buyer_name", "business_type", "industry"} {
		wrongType := "String should have at least 1 character"
		null := "Input should be a valid string"
		if field == "business_type" || field == "industry" {
			wrongType, null = "Input should be a valid UUID", "Input should be a valid UUID"
		}
		for value, want := range map[any]string{absent{}: "Field required", nil: null, "": wrongType} {
			same(t, field, h.tryClient(with(t, goodClient(), record{field: value})).problems(t), []string{"client_data." + field + ": " + want})
		}
	}
	same(t, "nothing was written", h.read(t, "/api/buyers/")["total"], any(number(0)))
}

func TestInterface_2_9_OtherFieldsAreRequiredDependingOnTheClient(t *testing.T) {
	const saudi, foreign = "Field required for a Saudi client with a VAT number", "Field required for a client outside Saudi Arabia"
	gone := func(names ...string) record {
		r := record{}
		for _, name := range names {
			r[name] = absent{}
		}
		return r
	}
	address := []string{"building_number", "district", "city", "postal_code"}
	cases := []struct {
		name    string
		changes record
		want    []string
	}{
		{"a Saudi one with a VAT number needs an address", gone(address...), []string{
			"client_data.building_number: " + saudi, "client_data.district: " + saudi, "client_data.city: " + saudi, "client_data.postal_code: " + saudi}},
		{"with four digits in it", record{"building_number": "12345"}, []string{"client_data.building_number: Input should be 4 digits for a Saudi client with a VAT number"}},
		{"and five", record{"postal_code": "1234"}, []string{"client_data.postal_code: Input should be 5 digits for a Saudi client with a VAT number"}},
		{"a Saudi one without needs none", gone(append(address, "vat_registration_number")...), nil},
		{"a foreign one needs a city", merge(gone(address...), record{"country_code": "AE", "vat_registration_number": ""}), []string{"client_data.city: " + foreign}},
		{"and no more", merge(gone("building_number", "district", "postal_code"), record{"country_code": "AE", "vat_registration_number": nil}), nil},
		{"a postal code of another country", record{"country_code": "GB", "postal_code": "SW1A 2AA", "building_number": "10", "vat_registration_number": ""}, nil},
		{"a country that is none", record{"country_code": "XX"}, []string{"client_data.country_code: Input should be a country code of two capital letters, such as SA or AE"}},
	}
	h := open(t, nil)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := h.tryClient(with(t, goodClient(), c.changes))
			if c.want == nil {
				a.wants(t, http.StatusCreated)
				return
			}
			same(t, "problems", a.problems(t), c.want)
		})
	}
}

func merge(first, second record) record {
	maps.Copy(first, second)
	return first
}

func TestInterface_2_9_IdentificationTypes(t *testing.T) {
	h := open(t, nil)
	types := []string{"TIN", "CRN", "MOM", "MLS", "700", "SAG", "NAT", "GCC", "IQA", "PAS", "OTH"}
	var all []any
	for _, one := range types {
		all = append(all, record{"type_id": one, "value": "A" + one})
	}
	made := h.addClient(t, with(t, goodClient(), record{"additional_buyer_id": all}))
	same(t, "all eleven, in the order given", made["additional_buyer_id"], any(all))
	cases := []struct {
		name string
		ids  any
		want []string
	}{
		{"another type", []any{record{"type_id": "VAT", "value": "1"}}, []string{
			"client_data.additional_buyer_id.0.type_id: Input should be 'TIN', 'CRN', 'MOM', 'MLS', '700', 'SAG', 'NAT', 'GCC', 'IQA', 'PAS' or 'OTH'"}},
		{"a type twice", []any{record{"type_id": "CRN", "value": "1"}, record{"type_id": "CRN", "value": "2"}}, []string{
			"client_data.additional_buyer_id.1.type_id: Input should name each type once: CRN stands above already"}},
		{"a value with a dash", []any{record{"type_id": "OTH", "value": "DE-136"}}, []string{
			"client_data.additional_buyer_id.0.value: Input should be Latin letters and digits only, without dots or dashes"}},
		{"no value", []any{record{"type_id": "OTH"}}, []string{"client_data.additional_buyer_id.0.value: Field required"}},
		{"twelve", append(slices.Clone(all), record{"type_id": "OTH", "value": "1"}), []string{"client_data.additional_buyer_id: List should have at most 11 items"}},
	}
	for _, c := range cases {
		same(t, c.name, h.tryClient(with(t, goodClient(), record{"additional_buyer_id": c.ids})).problems(t), c.want)
	}
}

func TestInterface_2_9_EveryBusinessTypeAndIndustryOfTheLookups(t *testing.T) {
	h := open(t, nil)
	for field, path := range map[string]string{"business_type": "/api/business-types/", "industry": "/api/industries/"} {
		for key, value := range h.as("", http.MethodGet, "/v1"+path, "").wants(t, http.StatusOK) {
			listed, _ := value.(record)
			made := h.addClient(t, with(t, goodClient(), record{field: listed["uuid"]}))
			same(t, key, made[field], any(record{"uuid": listed["uuid"], "code": listed["code"], "description": listed["description"]}))
		}
	}
}

func TestInterface_4_3_CreatingIsNotDoneWithPostBuyers(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		for name, a := range map[string]answer{
			"as JSON":   h.call(http.MethodPost, "/v1/api/buyers/", goodClient()),
			"as a form": h.form("/v1/api/buyers/", part{"client_data", "", goodClient()}),
		} {
			if a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != "GET" {
				t.Errorf("%s: got %d with Allow %q, want 405 with GET", name, a.status, a.header.Get("Allow"))
			}
		}
		same(t, "clients", h.read(t, "/api/buyers/")["total"], any(number(0)))
	})
}

func TestInterface_4_3_ListIsOfTheOrganisationNewestFirst(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		same(t, "without clients", h.read(t, "/api/buyers/"), record{
			"buyers": []any{}, "total": number(0), "num_pages": number(0), "current_page": number(1), "total_capped": false, "next_cursor": nil,
		})
		other, key := h.stranger()
		for _, name := range []string{"First", "Second", "Third"} {
			h.client(h.org, name)
			h.client(other, "Foreign "+name)
		}
		same(t, "ours", names(t, h.read(t, "/api/buyers/")["buyers"], "buyer_name"), []string{"Third", "Second", "First"})
		theirs := h.as(key, http.MethodGet, "/v1/api/buyers/", "").wants(t, http.StatusOK)
		same(t, "theirs", names(t, theirs["buyers"], "buyer_name"), []string{"Foreign Third", "Foreign Second", "Foreign First"})
	})
}

func TestInterface_4_3_OneClientIsReadByItsOrganisationOnly(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		id := idOf(h.addClient(t, goodClient()))
		_, key := h.stranger()
		noBuyer.wants(t, "another organisation", h.as(key, http.MethodGet, "/v1/api/buyers/"+id+"/", ""))
		noBuyer.wants(t, "nobody's", h.call(http.MethodGet, "/v1/api/buyers/"+h.service.NewID().String()+"/", ""))
		viewer := h.newKey(h.org, org.ViewInvoice)
		same(t, "a viewer", h.as(viewer, http.MethodGet, "/v1/api/buyers/"+id+"/", "").wants(t, http.StatusOK), wantBuyer(id, nil))
	})
}
