package app_test

import (
	"bytes"
	"image"
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

const wantLogoURL = "http://127.0.0.1:8080" + servicetest.LogoPath // with the default URL of the service

func TestCompany_ChangeKeepsWhatIsNotSent(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		change := func(body string) servicetest.Answer {
			return h.As(admin, http.MethodPatch, servicetest.CompanyPath, body)
		}
		read := func() servicetest.Record {
			return h.As(h.Session(org.ViewInvoice, h.Org), http.MethodGet, servicetest.CompanyPath, "").Wants(t, http.StatusOK)
		}
		o := h.Org
		want := servicetest.Record{
			"uuid": o.ID.String(), "name": o.Name, "name_arabic": o.NameArabic, "vat_registration_number": o.VATNumber, "vat_number_fixed": false,
			"additional_seller_id": servicetest.Record{"type_id": o.Identification.Type, "value": o.Identification.Value},
			"street":               o.Street, "additional_street": o.AdditionalStreet, "building_number": o.BuildingNumber, "plot_identification": o.PlotIdentification,
			"district": o.District, "city": o.City, "province_state": o.ProvinceState, "postal_code": o.PostalCode, "country_code": "SA",
			"street_arabic": "", "additional_street_arabic": "", "district_arabic": "", "city_arabic": "", "province_state_arabic": "",
			"settings": servicetest.Record{"amount_in_words": false, "iban": "", "phone": "", "due_days": servicetest.Number(0)},
			"logo_url": nil, "plan": o.Plan, "created_at": "2026-11-15T12:00:00+03:00",
		}
		servicetest.Same(t, "the company", read(), want)
		servicetest.Same(t, "an empty change", change(`{}`).Wants(t, http.StatusOK), want)
		want["city_arabic"], want["street_arabic"], want["name"] = "الرياض", "طريق الملك فهد", `=1+1 <b>"&`
		want["settings"] = servicetest.Record{"amount_in_words": true, "iban": "SA0380000000608010167519", "phone": "+966 11 234 5678", "due_days": servicetest.Number(30)}
		servicetest.Same(t, "the changed company", change(`{"name":" =1+1 <b>\"&","city_arabic":"الرياض","street_arabic":"طريق الملك فهد","uuid":"x","plan":"free","logo_url":"x",
			"settings":{"amount_in_words":true,"iban":"sa03 8000 0000 6080 1016 7519","phone":"+966 11 234 5678","due_days":30}}`).Wants(t, http.StatusOK), want)
		want["street_arabic"], want["vat_registration_number"] = "", "311111111100003"
		want["additional_seller_id"] = servicetest.Record{"type_id": "MOM", "value": "77"}
		want["settings"] = servicetest.Record{"amount_in_words": true, "iban": "SA0380000000608010167519", "phone": "", "due_days": servicetest.Number(0)}
		servicetest.Same(t, "the company without some values", change(`{"street_arabic":null,"vat_registration_number":"311111111100003","additional_seller_id":{"type_id":"MOM","value":"77"},
			"settings":{"phone":null,"due_days":null}}`).Wants(t, http.StatusOK), want)
		for body, field := range map[string]string{
			`{"name":""}`: "name", `{"name":null}`: "name", `{"name":"` + strings.Repeat("ش", 64) + `"}`: "name", `{"name_arabic":"Khatm"}`: "name_arabic",
			`{"vat_registration_number":"311111111100004"}`: "vat_registration_number", `{"additional_seller_id":null}`: "additional_seller_id.type_id",
			`{"additional_seller_id":{"type_id":"TIN","value":"1"}}`: "additional_seller_id.type_id", `{"additional_seller_id":{"type_id":"CRN"}}`: "additional_seller_id.value",
			`{"building_number":"12"}`: "building_number", `{"postal_code":null}`: "postal_code", `{"city_arabic":"Riyadh"}`: "city_arabic", `{"city":5}`: "city", `{"district":"\u200f"}`: "district",
			`{"name":"Kha\u202etm"}`: "name", `{"name_arabic":"٣"}`: "name_arabic", `{"street":"\ufeffStreet"}`: "street", `{"city":"\u2066Riyadh"}`: "city", `{"district":"a\u2028b"}`: "district", `{"city_arabic":"\u202bالرياض\u202c"}`: "city_arabic",
			`{"settings":{"iban":"SA0480000000608010167519"}}`: "settings.iban", `{"settings":{"phone":"call me"}}`: "settings.phone",
			`{"settings":{"due_days":366}}`: "settings.due_days", `{"settings":[]}`: "settings",
		} {
			if got := change(body).Problems(t); !strings.HasPrefix(got[0], field+": ") {
				t.Errorf("%s: problems = %q, want the first one of %s", body, got, field)
			}
		}
		for body, code := range map[string]string{`{"name":null}`: "field_required", `{"city":"\u200f"}`: "field_required", `{"name":"` + strings.Repeat("ش", 64) + `"}`: "too_long", `{"city":"a\u202eb"}`: "invalid_characters", `{"postal_code":null}`: "invalid_value"} {
			servicetest.Same(t, "code of "+body, servicetest.First(t, change(body).JSON(t)["errors"])["code"], any(code))
		}
		servicetest.Same(t, "the company after refused changes", read(), want)
	})
}

// A certificate contains the VAT number, so the number is fixed from then on.
func TestCompany_VATNumberIsFixedByACertificate(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		change := func(body string) servicetest.Answer {
			return h.As(admin, http.MethodPatch, servicetest.CompanyPath, body)
		}
		other := h.Organisation("Other", "business")
		h.SellerOf(other)
		servicetest.Same(t, "fixed without a device", change(`{"vat_registration_number":"311111111100003"}`).Wants(t, http.StatusOK)["vat_number_fixed"], any(false))
		h.NewSeller()
		before := h.As(admin, http.MethodGet, servicetest.CompanyPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "fixed with a device", before["vat_number_fixed"], any(true))
		wantCode(t, "another VAT number", change(`{"city":"Jeddah","vat_registration_number":"399999999900003"}`), http.StatusConflict, "vat_number_fixed")
		servicetest.Same(t, "the company", h.As(admin, http.MethodGet, servicetest.CompanyPath, "").Wants(t, http.StatusOK), before)
		servicetest.Same(t, "the city", change(`{"city":"Jeddah","vat_registration_number":"311111111100003"}`).Wants(t, http.StatusOK)["city"], any("Jeddah"))
	})
}

func TestCompany_LogoIsCleanedAndReplaced(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin, viewer := h.Session(org.Admin, h.Org), h.Session(org.ViewInvoice, h.Org)
		put := func(content string) servicetest.Answer {
			return h.Send(http.MethodPut, servicetest.LogoPath, servicetest.Bearer(admin), servicetest.FormBody(t, servicetest.Part{Field: "file", Filename: "logo", Content: content}))
		}
		read := func(session string) servicetest.Answer {
			return h.As(session, http.MethodGet, servicetest.LogoPath, "")
		}
		servicetest.NoLogo.Wants(t, "no logo", read(viewer))
		const secret = "where it was taken"
		whole := servicetest.APNG(t)
		servicetest.Same(t, "logo_url", put(whole+secret).Wants(t, http.StatusOK)["logo_url"], any(wantLogoURL))
		got := read(viewer)
		pixels, kind, err := image.Decode(strings.NewReader(got.Body))
		if got.Status != http.StatusOK || err != nil || kind != "png" || pixels.Bounds() != servicetest.Drawing().Bounds() || got.Header.Get("Content-Type") != "image/png" || strings.Contains(got.Body, secret) {
			t.Errorf("logo: status %d, type %s, decoded as %s, %v; want 200 and the PNG without metadata", got.Status, got.Header.Get("Content-Type"), kind, err)
		}
		first := h.Pictures(t)
		put(servicetest.AJPEG(t)).Wants(t, http.StatusOK)
		if second := h.Pictures(t); len(first) != 1 || len(second) != 1 || first[0] == second[0] || !strings.HasPrefix(second[0], "org/"+h.Org.ID.String()+"/logo/") {
			t.Errorf("stored files = %q, then %q, want one and then another one", first, second)
		}
		if _, kind, err := image.Decode(bytes.NewReader([]byte(read(viewer).Body))); err != nil || kind != "jpeg" {
			t.Errorf("the second logo is decoded as %q, %v, want jpeg", kind, err)
		}
		for _, content := range []string{"", "GIF89a", "<svg/>", whole[:len(whole)/2], whole + strings.Repeat("\x00", 2<<20)} {
			if got := put(content).Problems(t); len(got) != 1 || !strings.HasPrefix(got[0], "file: ") {
				t.Errorf("%.10q of %d bytes: problems = %q, want one of file", content, len(content), got)
			}
		}
		if got := h.Send(http.MethodPut, servicetest.LogoPath, servicetest.Bearer(admin), servicetest.FormBody(t)).Problems(t); len(got) != 1 || !strings.HasPrefix(got[0], "file: ") {
			t.Errorf("no file: problems = %q, want one of file", got)
		}
		servicetest.Same(t, "stored files", len(h.Pictures(t)), 1)
		other := h.Organisation("Other", "business")
		servicetest.NoLogo.Wants(t, "logo of another organisation", read(h.Session(org.Admin, other)))
		for range 2 {
			servicetest.Same(t, "logo_url", h.As(admin, http.MethodDelete, servicetest.LogoPath, "").Wants(t, http.StatusOK)["logo_url"], nil)
		}
		servicetest.NoLogo.Wants(t, "removed logo", read(viewer))
		servicetest.Same(t, "stored files", len(h.Pictures(t)), 0)
	})
}
