package codes_test

import (
	"testing"

	"khatm/codes"
)

func TestDeviceLabels(t *testing.T) {
	want := []struct{ status, en, ar string }{
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
	all := codes.DeviceStatuses()
	if len(all) != len(want) {
		t.Fatalf("got %d statuses, want %d", len(all), len(want))
	}
	for i, w := range want {
		label := codes.DeviceLabel(w.status)
		if all[i].Status != w.status || all[i].Label != label || label.EN != w.en || label.AR != w.ar {
			t.Errorf("%s: got status %v and label %v, want %v", w.status, all[i], label, w)
		}
	}
	for _, unknown := range []string{"", "revoked", "PCSID_GENERATED"} {
		if got := codes.DeviceLabel(unknown); got.EN != "Unknown Status" {
			t.Errorf("DeviceLabel(%q) = %v, want Unknown Status", unknown, got)
		}
	}
	all[0].Label.EN = "changed"
	if codes.DeviceLabel("csr_pending").EN == "changed" {
		t.Error("a caller can change the table")
	}
}
