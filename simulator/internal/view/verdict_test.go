package view

import (
	"testing"
	"time"
)

func TestVerdicts(t *testing.T) {
	const clearance, reporting, check, compliance, production, renewal = "/invoices/clearance/single", "/invoices/reporting/single", "/compliance/invoices", "/compliance", "/production/csids", "PATCH /production/csids"
	for _, c := range []struct {
		operation string
		decided   int
		typeCode  string
		en, ar    string
		tone      string
	}{
		{clearance, 200, "388", "Cleared", "معتمدة من الهيئة", "good"},
		{clearance, 200, "381", "Cleared", "معتمد من الهيئة", "good"},
		{clearance, 202, "388", "Cleared with warnings", "معتمدة من الهيئة مع تحذيرات", "warn"},
		{clearance, 208, "388", "Cleared before", "معتمدة من الهيئة سابقًا", "warn"},
		{clearance, 303, "", "Clearance is off", "الاعتماد متوقف", "warn"},
		{clearance, 400, "383", "Not cleared", "مرفوض من الهيئة", "bad"},
		{reporting, 200, "388", "Reported", "أُبلغت بها الهيئة", "good"},
		{reporting, 409, "388", "Reported before", "أُبلغت بها الهيئة سابقًا", "warn"},
		{reporting, 409, "381", "Reported before", "أُبلغت به الهيئة سابقًا", "warn"},
		{reporting, 400, "", "Not reported", "مرفوضة من الهيئة", "bad"},
		{check, 200, "381", "Passed", "اجتاز الاختبار", "good"},
		{check, 400, "", "Failed", "لم يجتز الاختبار", "bad"},
		{compliance, 200, "", "Issued", "صدرت", "good"},
		{compliance, 400, "", "Refused", "مرفوض", "bad"},
		{production, 400, "", "Refused", "مرفوض", "bad"},
		{renewal, 428, "", "Checks required", "تلزم اختبارات جديدة", "warn"},
		{renewal, 401, "", "Access denied", "رُفضت بيانات الدخول", "bad"},
		{"", 404, "", "Unknown operation", "عملية غير معروفة", "bad"},
		{compliance, 405, "", "Unknown operation", "عملية غير معروفة", "bad"},
		{reporting, 413, "", "Refused", "مرفوض", "bad"},
		{reporting, 0, "", "Not processed", "لم يُعالَج", "quiet"},
	} {
		r := Request{Operation: c.operation, Decided: c.decided, TypeCode: c.typeCode}
		for l, want := range map[language]string{english: c.en, arabic: c.ar} {
			if got := l.verdictOf(r); got.Words != want || got.Tone != c.tone {
				t.Errorf("verdict of %s %d %s = %+v, want %q, %s", c.operation, c.decided, c.typeCode, got, want, c.tone)
			}
		}
	}
}

// A request that only reads looks harmless, because Khatm reads the authority's
// time this way.
func TestVerdictOfReading(t *testing.T) {
	for method, want := range map[string]string{"HEAD": "quiet", "GET": "quiet", "POST": "bad"} {
		if got := english.verdictOf(Request{Method: method, Decided: 404}); got.Tone != want {
			t.Errorf("tone of %s to an unknown address = %s, want %s", method, got.Tone, want)
		}
	}
}

// TestDevices checks the grouping, the order, the states and the limits.
func TestDevices(t *testing.T) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	valid := Certificate{Environment: "simulation", Kind: "production", VATNumber: "3", Serial: "1", NotAfter: now.Add(time.Hour)}
	checked, revoked, expired := valid, valid, valid
	checked.Kind, checked.Passed, checked.Missing = "compliance", 2, 4
	revoked.Revoked, expired.NotAfter = now.Add(-time.Hour), now.Add(-time.Hour)
	other := valid
	other.Environment = "production"
	list, more := english.devices([]Certificate{checked, expired, revoked, valid, other, valid, valid}, now)
	if len(list) != 2 || more != 0 || list[0].Environment != "Simulation environment" || list[1].Environment != "Production" || list[0].Older != 1 {
		t.Fatalf("devices = %+v, %d more, want the renewed device first", list, more)
	}
	var states []string
	for _, c := range list[0].Certificates {
		states = append(states, c.State)
	}
	if len(states) != maxCertificates || states[3] != "revoked" || states[4] != "expired" || states[0] != "valid" {
		t.Errorf("states = %v, want the newest %d", states, maxCertificates)
	}
	if c := english.certificateOf(checked, now); c.Required != 6 || c.Passed != 2 || !c.Checks {
		t.Errorf("compliance certificate = %+v, want 2 of 6 checks", c)
	}
	var many []Certificate
	for i := range maxDevices + 7 {
		c := valid
		c.Serial = string(rune('a' + i))
		many = append(many, c)
	}
	if list, more := english.devices(many, now); len(list) != maxDevices || more != 7 {
		t.Errorf("%d devices and %d more, want %d and 7", len(list), more, maxDevices)
	}
}
