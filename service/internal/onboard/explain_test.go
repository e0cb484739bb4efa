package onboard_test

import (
	"strings"
	"testing"
	"unicode"

	"khatm/service/internal/device"
	"khatm/service/internal/onboard"
)

// TestEveryTroubleIsExplained checks that every code has an explanation and a
// next step in both languages.
func TestEveryTroubleIsExplained(t *testing.T) {
	codes := []string{
		"Missing-OTP", "Invalid-OTP", "Invalid-CSR", "Missing-CSR", "Invalid-Industry", "Missing-ComplianceSteps", "Invalid-ComplianceRequestId",
		device.NotCompliant, device.NoCertificate, device.NotAuthorised, device.OtherDevice,
		onboard.NoAnswer, onboard.SampleRefused, "BR-KSA-37", "BR-CO-17", "certificate-permissions", "something new", "",
	}
	for _, code := range codes {
		e := onboard.Explain(code)
		if e.Code != code {
			t.Errorf("Explain(%q) has code %q, want the code that was given", code, e.Code)
		}
		for _, w := range []struct{ en, ar string }{{e.What.EN, e.What.AR}, {e.Next.EN, e.Next.AR}} {
			arabic := strings.ContainsFunc(w.ar, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
			latin := strings.ContainsFunc(w.en, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
			if !strings.HasSuffix(w.ar, ".") {
				t.Errorf("%q: Arabic %q does not end with a full stop", code, w.ar)
			}
			if len(w.en) < 10 || len(w.ar) < 10 || !arabic || latin {
				t.Errorf("Explain(%q) has the texts %q and %q, want one in English and one in Arabic", code, w.en, w.ar)
			}
		}
	}
}
