package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// deviceLabels are the labels of docs/contract.md section 3.2, in the order of
// onboarding, and their Arabic texts.
var deviceLabels = []struct{ status, label, arabic string }{
	{"csr_pending", "Setup in Progress", "قيد الربط بالهيئة"},
	{"csr_generated", "Setup in Progress", "قيد الربط بالهيئة"},
	{"ccsid_pending", "Setup in Progress", "قيد الربط بالهيئة"},
	{"ccsid_generated", "Setup in Progress", "قيد الربط بالهيئة"},
	{"ccsid_failed", "Action Required", "بانتظار إجراء منك"},
	{"sample_invoices_pending", "Setup in Progress", "قيد الربط بالهيئة"},
	{"sample_invoices_generated", "Setup in Progress", "قيد الربط بالهيئة"},
	{"sample_invoices_failed", "Action Required", "بانتظار إجراء منك"},
	{"AUTHORITY_Submission_Pending", "Pending Activation", "بانتظار التفعيل"},
	{"AUTHORITY_Submission_Completed", "Unknown Status", "حالة غير معروفة"},
	{"AUTHORITY_Submission_Failed", "Action Required", "بانتظار إجراء منك"},
	{"pcsid_pending", "Pending Activation", "بانتظار التفعيل"},
	{"pcsid_generated", "Active", "نشط"},
	{"pcsid_failed", "Action Required", "بانتظار إجراء منك"},
}

func readDevice(t *testing.T, h *servicetest.Instance, session string, id uuid.UUID) servicetest.Record {
	t.Helper()
	return h.As(session, http.MethodGet, servicetest.DevicesPath+id.String()+"/", "").Wants(t, http.StatusOK)
}

func TestInterface_3_2_EveryStatusHasItsLabel(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		viewer := h.Session(org.ViewInvoice, h.Org)
		servicetest.Same(t, "statuses", len(deviceLabels), len(device.Statuses()))
		for _, c := range deviceLabels {
			d := h.Device(h.Org, func(d *device.Device) { d.Status = device.Status(c.status) })
			got := readDevice(t, h, viewer, d.ID)
			servicetest.Same(t, c.status, []any{got["device_status"], got["label"], got["label_ar"]}, []any{c.status, c.label, c.arabic})
		}
	})
}

func TestInterface_3_2_PCSIDGeneratedIsActiveAndCSRPendingIsSetupInProgress(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		servicetest.Same(t, "label of an onboarded device", readDevice(t, h, admin, h.Issuing(h.Org, nil).ID)["label"], any("Active"))
		made := h.As(admin, http.MethodPost, servicetest.DevicesPath, servicetest.GoodDevice).Wants(t, http.StatusCreated)
		servicetest.Same(t, "a new device", []any{made["device_status"], made["label"]}, []any{"csr_pending", "Setup in Progress"})
	})
}

func TestInterface_3_2_AValueWithoutLabelIsUnknownStatus(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.Device(h.Org, func(d *device.Device) { d.Status = device.SubmissionCompleted })
		got := readDevice(t, h, h.Session(org.ViewInvoice, h.Org), d.ID)
		servicetest.Same(t, "labels", []any{got["label"], got["label_ar"]}, []any{"Unknown Status", "حالة غير معروفة"})
	})
}

func TestInterface_3_2_OnlyPCSIDGeneratedIssuesInvoices(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		for _, status := range device.Statuses() {
			d := h.Issuing(h.Org, func(d *device.Device) { d.Status = status })
			a := h.Call(http.MethodPost, shop.Address, shop.Standard(servicetest.Fields{"device": d.ID.String(), "notes": servicetest.Note(string(status))}))
			if status == device.PCSIDGenerated {
				a.Wants(t, http.StatusAccepted)
			} else {
				wantCode(t, string(status), a, http.StatusBadRequest, "device_not_ready")
			}
		}
	})
}

func TestInterface_5_4_AKeyCannotManageDevices(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		servicetest.KeyHere.Wants(t, "creating", h.Call(http.MethodPost, servicetest.DevicesPath, servicetest.GoodDevice))
		id := h.Device(h.Org, nil).ID.String()
		for _, path := range []string{"onboard/", "renew/", "release/", "resume/"} {
			servicetest.KeyHere.Wants(t, path, h.Call(http.MethodPost, servicetest.DevicesPath+id+"/"+path, `{}`))
		}
	})
}

func TestDevice_IsCreatedAndRead(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		create := func(body string) servicetest.Answer {
			return h.As(admin, http.MethodPost, servicetest.DevicesPath, body)
		}
		branch := org.Branch{ID: h.Service.NewID(), Name: "Jeddah", Active: true, CreatedAt: h.Clock.Now(), Address: org.Address{Street: "Tahlia", BuildingNumber: "4321", District: "Rawdah", City: "Jeddah", PostalCode: "23431", CountryCode: "SA"}}
		if err := h.Service.Store().AddBranch(t.Context(), h.Operator(h.Org), branch); err != nil {
			t.Fatal(err)
		}
		made := create(`{"common_name":" Till 7 ","invoice_type":"0100","industry":"Retail","branch_id":"`+branch.ID.String()+`","serial_number":"1-A|2-B|3-C"}`).Wants(t, http.StatusCreated)
		want := servicetest.Record{
			"device_id": made["device_id"], "seller_id": h.Org.ID.String(), "common_name": "Till 7", "serial_number": "1-A|2-B|3-C",
			"location": "4321 Tahlia Rawdah Jeddah", "unit_name": "Jeddah", "industry": "Retail", "invoice_type": "0100", "business_type": "B2C",
			"device_status": "csr_pending", "ccsid_status": "PENDING", "pcsid_status": "PENDING", "CSIDCertificateData": nil, "PSIDCertificateData": nil,
			"branch_id": branch.ID.String(), "is_branch_device": true, "counter": "0", "submission_state": "ok", "submission_message": "", "created_at": "2026-11-15",
			"label": "Setup in Progress", "label_ar": "قيد الربط بالهيئة", "environment": "simulator", "is_retired": false, "last_issued_at": nil,
			"waiting": servicetest.Record{"count": servicetest.Number(0), "oldest": nil}, "is_running": false, "needs_otp": true, "trouble": nil, "renewal": nil,
		}
		servicetest.Same(t, "the created device", made, want)
		servicetest.Same(t, "the read device", readDevice(t, h, h.Session(org.ViewInvoice, h.Org), uuid.MustParse(servicetest.Text(made["device_id"]))), want)
		wantCode(t, "the same serial number", create(`{"common_name":"Till 8","invoice_type":"1100","industry":"Retail","serial_number":"1-A|2-B|3-C"}`), http.StatusBadRequest, "already_exists")
		for body, field := range map[string]string{
			`{"common_name":"","invoice_type":"1100","industry":"Retail"}`:                                                   "common_name",
			`{"common_name":"Till","invoice_type":"0000","industry":"Retail"}`:                                               "invoice_type",
			`{"common_name":"Till","invoice_type":"1100","industry":" "}`:                                                    "industry",
			`{"common_name":"Till","invoice_type":"1100","industry":"Retail","serial_number":"7"}`:                           "serial_number",
			`{"common_name":"Till","invoice_type":"1100","industry":"Retail","branch_id":"` + uuid.NewString() + `"}`:        "branch_id",
			`{"common_name":"Till","invoice_type":"1100","industry":"Retail","location":"` + strings.Repeat("x", 190) + `"}`: "location",
		} {
			problems := create(body).Problems(t)
			if len(problems) == 0 || !strings.HasPrefix(problems[0], field+": ") {
				t.Errorf("%s: problems = %q, want %s", body, problems, field)
			}
		}
	})
}

// The list and a single device show how many documents wait for the authority and
// since when. Other organisations see neither.
func TestDevice_ShowsWhatWaits(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		idle := h.Issuing(h.Org, nil)
		shop.Created(shop.Simplified())
		h.Clock.Advance(time.Hour)
		shop.Created(shop.Standard())
		viewer := h.Session(org.ViewInvoice, h.Org)
		read := func(session, query string) []any {
			t.Helper()
			rows, _ := h.As(session, http.MethodGet, servicetest.DevicesPath+query, "").Wants(t, http.StatusOK)["devices"].([]any)
			return rows
		}
		rows := read(viewer, "")
		servicetest.Same(t, "number of devices", len(rows), 2)
		for _, row := range rows {
			d, _ := row.(servicetest.Record)
			want := servicetest.Record{"count": servicetest.Number(2), "oldest": "2026-11-15T12:00:00+03:00"}
			if d["device_id"] == idle.ID.String() {
				want = servicetest.Record{"count": servicetest.Number(0), "oldest": nil}
			}
			servicetest.Same(t, "waiting", d["waiting"], any(want))
			one := readDevice(t, h, viewer, uuid.MustParse(servicetest.Text(d["device_id"])))
			for name, value := range d {
				servicetest.Same(t, name+" of a single device", one[name], value)
			}
		}
		servicetest.Same(t, "found", len(read(viewer, "?search_text=nothing")), 0)
		servicetest.Same(t, "devices of another organisation", len(read(h.Session(org.Admin, h.Organisation("Second", "business")), "")), 0)
	})
}

func TestDevice_NeedsAnEnvironment(t *testing.T) {
	t.Parallel()
	h := unset(t)
	admin := h.Session(org.Admin, h.Organisation("Khatm Trading", "business"))
	wantCode(t, "a device", h.As(admin, http.MethodPost, servicetest.DevicesPath, servicetest.GoodDevice), http.StatusConflict, "environment_required")
}

// Explanations are shown in the app, so they do not name flags of the command line.
func TestDevice_ExplanationsNameNoFlags(t *testing.T) {
	t.Parallel()
	for _, code := range onboard.Codes() {
		e := onboard.Explain(code)
		for _, text := range []string{e.What.EN, e.What.AR, e.Next.EN, e.Next.AR} {
			if text == "" || strings.Contains(text, "--") || strings.Contains(text, "khatm ") {
				t.Errorf("the explanation of %s is %q", code, text)
			}
		}
	}
}
