package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

func TestBranches_ChangeKeepsWhatIsNotSent(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin, viewer := h.Session(org.Admin, h.Org), h.Session(org.ViewInvoice, h.Org)
		made := h.As(admin, http.MethodPost, servicetest.BranchesPath, servicetest.GoodBranch).Wants(t, http.StatusCreated)
		path := servicetest.BranchesPath + servicetest.IDOf(made) + "/"
		change := func(body string) servicetest.Answer { return h.As(admin, http.MethodPatch, path, body) }
		want := servicetest.Record{
			"uuid": made["uuid"], "name": "Jeddah branch", "additional_seller_id": servicetest.Record{"type_id": "CRN", "value": "4030000000"},
			"street": "Tahlia Street", "additional_street": "", "building_number": "1111", "plot_identification": "", "district": "Al Rawdah", "city": "Jeddah",
			"province_state": "", "postal_code": "23434", "country_code": "SA",
			"street_arabic": "", "additional_street_arabic": "", "district_arabic": "", "city_arabic": "جدة", "province_state_arabic": "",
			"is_active": true, "created_at": "2026-11-15T12:00:00+03:00",
		}
		servicetest.Same(t, "the created branch", made, want)
		servicetest.Same(t, "an empty change", change(`{}`).Wants(t, http.StatusOK), want)
		want["city_arabic"], want["street"], want["is_active"] = "", "Palestine Street", false
		want["additional_seller_id"] = servicetest.Record{"type_id": "MOM", "value": "77"}
		servicetest.Same(t, "the changed branch", change(`{"city_arabic":null,"street":"Palestine Street","is_active":false,"additional_seller_id":{"type_id":"MOM","value":"77"}}`).Wants(t, http.StatusOK), want)
		servicetest.Same(t, "the branch", h.As(viewer, http.MethodGet, path, "").Wants(t, http.StatusOK), want)
		list := h.As(viewer, http.MethodGet, servicetest.BranchesPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "the listed branch", servicetest.First(t, list["branches"]), want)
		servicetest.Same(t, "total", list["total"], any(servicetest.Number(1)))
		for body, field := range map[string]string{
			`{"name":""}`: "name", `{"name":null}`: "name", `{"building_number":"1"}`: "building_number", `{"city":null}`: "city", `{"city_arabic":"x"}`: "city_arabic",
			`{"additional_seller_id":{"type_id":"TIN","value":"1"}}`: "additional_seller_id.type_id", `{"is_active":"yes"}`: "is_active",
		} {
			if got := change(body).Problems(t); !strings.HasPrefix(got[0], field+": ") {
				t.Errorf("%s: problems = %q, want the first one of %s", body, got, field)
			}
		}
		if got := h.As(admin, http.MethodPost, servicetest.BranchesPath, `{"name":"x"}`).Problems(t); len(got) != 6 {
			t.Errorf("a branch without a number and an address: problems = %q, want 6", got)
		}
		servicetest.Same(t, "the branch after refused changes", h.As(viewer, http.MethodGet, path, "").Wants(t, http.StatusOK), want)
		servicetest.NoBranch.Wants(t, "an unknown branch", h.As(admin, http.MethodGet, servicetest.BranchesPath+uuid.NewString()+"/", ""))
		servicetest.NoSuchPath.Wants(t, "branches for keys", h.Call(http.MethodGet, "/v1/api/branches/", ""))
	})
}

// Invoices of a device that belongs to a branch have the branch's address from the
// next invoice on, even if the branch is no longer active.
func TestBranches_ChangedAddressIsOnTheNextInvoice(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, admin := h.NewSeller(), h.Session(org.Admin, h.Org)
		branch := uuid.MustParse(h.UUIDIn(h.As(admin, http.MethodPost, servicetest.BranchesPath, servicetest.GoodBranch)))
		d := h.Issuing(h.Org, func(d *device.Device) { d.Branch = &branch })
		city := func(note string) any {
			made := h.Call(http.MethodPost, "/v1/api/invoices/", shop.Standard(servicetest.Fields{"device": d.ID.String(), "notes": servicetest.Note(note)})).Wants(t, http.StatusAccepted)
			seller, _ := h.Read(t, "/api/invoices/"+servicetest.Text(made["invoice_uuid"])+"/")["seller"].(servicetest.Record)
			return seller["city"]
		}
		servicetest.Same(t, "city", city("a"), any("Jeddah"))
		h.As(admin, http.MethodPatch, servicetest.BranchesPath+branch.String()+"/", `{"city":"Abha","is_active":false}`).Wants(t, http.StatusOK)
		servicetest.Same(t, "city after the change", city("b"), any("Abha"))
	})
}
