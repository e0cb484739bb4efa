package api_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// leastClient returns client_data with required fields only.
func leastClient() string {
	return `{"buyer_name":"Cash customer","business_type":"cd25e53c-5546-5d8c-ac0b-3cf80c9d14a3","industry":"` + servicetest.AnyIndustry() + `","street":"Tahlia","province_state":"Makkah"}`
}

// wantBuyer returns the record of servicetest.GoodClient with some fields changed.
func wantBuyer(id any, changes servicetest.Record) servicetest.Record {
	want := servicetest.Record{
		"uuid": id, "buyer_name": "Al Noor Trading", "buyer_name_arabic": "شركة النور للتجارة", "vat_registration_number": "311111111100003",
		"business_type": servicetest.Record{"uuid": "6c6a6e49-1046-52e9-911b-8024397176c3", "code": "1000", "description": "B2B"},
		"industry":      servicetest.Record{"uuid": servicetest.AnyIndustry(), "code": "RETAIL_TRADE", "description": "Retail trade"},
		"street":        "King Fahd Road", "additional_street": "", "building_number": "1234", "plot_identification": "",
		"district": "Al Olaya", "city": "Riyadh", "province_state": "Riyadh Province", "postal_code": "12345", "country_code": "SA",
		"street_arabic": "", "additional_street_arabic": "", "district_arabic": "", "city_arabic": "", "province_state_arabic": "",
		"contact_name": "", "contact_email": "accounts@alnoor.example", "contact_phone": "",
		"additional_buyer_id": []any{servicetest.Record{"type_id": "CRN", "value": "1010010000"}},
		"logo_url":            nil, "created_at": "2026-11-15T12:00:00+03:00",
	}
	maps.Copy(want, changes)
	return want
}

func TestInterface_4_3_CreateClientAnswers201WithLocation(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		a := h.TryClient(servicetest.GoodClient())
		made := a.Wants(t, http.StatusCreated)
		at := "/api/buyers/" + servicetest.IDOf(made) + "/"
		if got := a.Header.Get("Location"); got != at {
			t.Errorf("Location = %q, want %q", got, at)
		}
		servicetest.Same(t, "response", made, wantBuyer(made["uuid"], servicetest.Record{"message": "Client created.", "location": at}))
		servicetest.Same(t, "record at the location", h.Read(t, at), wantBuyer(made["uuid"], nil))
		servicetest.Same(t, "list", h.Read(t, "/api/buyers/")["buyers"], any([]any{wantBuyer(made["uuid"], nil)}))
	})
}

func TestInterface_2_9_ClientOfTheRequiredFieldsOnly(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		made := h.AddClient(t, leastClient())
		want := wantBuyer(made["uuid"], servicetest.Record{
			"buyer_name": "Cash customer", "street": "Tahlia", "province_state": "Makkah",
			"business_type": servicetest.Record{"uuid": "cd25e53c-5546-5d8c-ac0b-3cf80c9d14a3", "code": "0100", "description": "B2C"},
			"country_code":  "SA", "additional_buyer_id": []any{},
		})
		for _, name := range []string{"buyer_name_arabic", "vat_registration_number", "building_number", "district", "city", "postal_code", "contact_email"} {
			want[name] = ""
		}
		servicetest.Same(t, "record", h.Read(t, "/api/buyers/"+servicetest.IDOf(made)+"/"), want)
	})
}

func TestInterface_2_9_RequiredFieldsOfAClient(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, field := range []string{"street", "province_state", "buyer_name", "business_type", "industry"} {
		wrongType := "must have at least 1 character"
		null := "must be a string"
		if field == "business_type" || field == "industry" {
			wrongType, null = "must be a UUID", "must be a UUID"
		}
		for value, want := range map[any]string{servicetest.Absent{}: "Field required", nil: null, "": wrongType} {
			servicetest.Same(t, field, h.TryClient(servicetest.With(t, servicetest.GoodClient(), servicetest.Record{field: value})).Problems(t), []string{"client_data." + field + ": " + want})
		}
	}
	servicetest.Same(t, "number of clients", h.Read(t, "/api/buyers/")["total"], any(servicetest.Number(0)))
}

func TestInterface_2_9_OtherFieldsAreRequiredDependingOnTheClient(t *testing.T) {
	t.Parallel()
	const saudi, foreign = "Field required for a Saudi client with a VAT number", "Field required for a client outside Saudi Arabia"
	gone := func(names ...string) servicetest.Record {
		r := servicetest.Record{}
		for _, name := range names {
			r[name] = servicetest.Absent{}
		}
		return r
	}
	address := []string{"building_number", "district", "city", "postal_code"}
	cases := []struct {
		name    string
		changes servicetest.Record
		want    []string
	}{
		{"Saudi client with a VAT number and without an address", gone(address...), []string{
			"client_data.building_number: " + saudi, "client_data.district: " + saudi, "client_data.city: " + saudi, "client_data.postal_code: " + saudi}},
		{"building number without four digits", servicetest.Record{"building_number": "12345"}, []string{"client_data.building_number: must be 4 digits for a Saudi client with a VAT number"}},
		{"postal code without five digits", servicetest.Record{"postal_code": "1234"}, []string{"client_data.postal_code: must be 5 digits for a Saudi client with a VAT number"}},
		{"Saudi client without a VAT number and an address", gone(append(address, "vat_registration_number")...), nil},
		{"foreign client without a city", merge(gone(address...), servicetest.Record{"country_code": "AE", "vat_registration_number": ""}), []string{"client_data.city: " + foreign}},
		{"foreign client with only a city", merge(gone("building_number", "district", "postal_code"), servicetest.Record{"country_code": "AE", "vat_registration_number": nil}), nil},
		{"foreign postal code", servicetest.Record{"country_code": "GB", "postal_code": "SW1A 2AA", "building_number": "10", "vat_registration_number": ""}, nil},
		{"unknown country", servicetest.Record{"country_code": "XX"}, []string{"client_data.country_code: must be a country code of two capital letters, such as SA or AE"}},
	}
	h := servicetest.Open(t, nil)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := h.TryClient(servicetest.With(t, servicetest.GoodClient(), c.changes))
			if c.want == nil {
				a.Wants(t, http.StatusCreated)
				return
			}
			servicetest.Same(t, "problems", a.Problems(t), c.want)
		})
	}
}

func merge(first, second servicetest.Record) servicetest.Record {
	maps.Copy(first, second)
	return first
}

func TestInterface_2_9_IdentificationTypes(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	types := []string{"TIN", "CRN", "MOM", "MLS", "700", "SAG", "NAT", "GCC", "IQA", "PAS", "OTH"}
	var all []any
	for _, one := range types {
		all = append(all, servicetest.Record{"type_id": one, "value": "A" + one})
	}
	made := h.AddClient(t, servicetest.With(t, servicetest.GoodClient(), servicetest.Record{"additional_buyer_id": all}))
	servicetest.Same(t, "all eleven, in the order given", made["additional_buyer_id"], any(all))
	cases := []struct {
		name string
		ids  any
		want []string
	}{
		{"another type", []any{servicetest.Record{"type_id": "VAT", "value": "1"}}, []string{
			"client_data.additional_buyer_id.0.type_id: must be 'TIN', 'CRN', 'MOM', 'MLS', '700', 'SAG', 'NAT', 'GCC', 'IQA', 'PAS' or 'OTH'"}},
		{"a type twice", []any{servicetest.Record{"type_id": "CRN", "value": "1"}, servicetest.Record{"type_id": "CRN", "value": "2"}}, []string{
			"client_data.additional_buyer_id.1.type_id: must have each type only once: CRN is repeated"}},
		{"a value with a dash", []any{servicetest.Record{"type_id": "OTH", "value": "DE-136"}}, []string{
			"client_data.additional_buyer_id.0.value: must be Latin letters and digits only, without dots or dashes"}},
		{"no value", []any{servicetest.Record{"type_id": "OTH"}}, []string{"client_data.additional_buyer_id.0.value: Field required"}},
		{"twelve identifications", append(slices.Clone(all), servicetest.Record{"type_id": "OTH", "value": "1"}), []string{"client_data.additional_buyer_id: must have at most 11 items"}},
	}
	for _, c := range cases {
		servicetest.Same(t, c.name, h.TryClient(servicetest.With(t, servicetest.GoodClient(), servicetest.Record{"additional_buyer_id": c.ids})).Problems(t), c.want)
	}
}

func TestInterface_2_9_EveryBusinessTypeAndIndustryOfTheLookups(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for field, path := range map[string]string{"business_type": "/api/business-types/", "industry": "/api/industries/"} {
		for key, value := range h.As("", http.MethodGet, "/v1"+path, "").Wants(t, http.StatusOK) {
			listed, _ := value.(servicetest.Record)
			made := h.AddClient(t, servicetest.With(t, servicetest.GoodClient(), servicetest.Record{field: listed["uuid"]}))
			servicetest.Same(t, key, made[field], any(servicetest.Record{"uuid": listed["uuid"], "code": listed["code"], "description": listed["description"]}))
		}
	}
}

func TestInterface_4_3_CreatingIsNotDoneWithPostBuyers(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for name, a := range map[string]servicetest.Answer{
			"as JSON":   h.Call(http.MethodPost, "/v1/api/buyers/", servicetest.GoodClient()),
			"as a form": h.Form("/v1/api/buyers/", servicetest.Part{Field: "client_data", Filename: "", Content: servicetest.GoodClient()}),
		} {
			if a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "GET" {
				t.Errorf("POST /api/buyers/ %s: status %d, Allow %q; want 405 and GET", name, a.Status, a.Header.Get("Allow"))
			}
		}
		servicetest.Same(t, "number of clients", h.Read(t, "/api/buyers/")["total"], any(servicetest.Number(0)))
	})
}

func TestInterface_4_3_ListIsOfTheOrganisationNewestFirst(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		servicetest.Same(t, "without clients", h.Read(t, "/api/buyers/"), servicetest.Record{
			"buyers": []any{}, "total": servicetest.Number(0), "num_pages": servicetest.Number(0), "current_page": servicetest.Number(1), "total_capped": false, "next_cursor": nil,
		})
		other, key := h.Stranger()
		for _, name := range []string{"First", "Second", "Third"} {
			h.Client(h.Org, name)
			h.Client(other, "Foreign "+name)
		}
		servicetest.Same(t, "own clients", servicetest.Names(t, h.Read(t, "/api/buyers/")["buyers"], "buyer_name"), []string{"Third", "Second", "First"})
		theirs := h.As(key, http.MethodGet, "/v1/api/buyers/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "clients of the other organisation", servicetest.Names(t, theirs["buyers"], "buyer_name"), []string{"Foreign Third", "Foreign Second", "Foreign First"})
	})
}

func TestInterface_4_3_OneClientIsReadByItsOrganisationOnly(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		id := servicetest.IDOf(h.AddClient(t, servicetest.GoodClient()))
		_, key := h.Stranger()
		servicetest.NoBuyer.Wants(t, "another organisation", h.As(key, http.MethodGet, "/v1/api/buyers/"+id+"/", ""))
		servicetest.NoBuyer.Wants(t, "of no organisation", h.Call(http.MethodGet, "/v1/api/buyers/"+h.Service.NewID().String()+"/", ""))
		viewer := h.NewKey(h.Org, org.ViewInvoice)
		servicetest.Same(t, "a viewer", h.As(viewer, http.MethodGet, "/v1/api/buyers/"+id+"/", "").Wants(t, http.StatusOK), wantBuyer(id, nil))
	})
}
