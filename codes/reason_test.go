package codes_test

import (
	"slices"
	"strings"
	"testing"

	"khatm/codes"
)

func reasonCodes(reasons []codes.Reason) []string {
	var all []string
	for _, r := range reasons {
		all = append(all, strings.TrimPrefix(r.Code, "VATEX-SA-"))
	}
	return all
}

func TestReasons(t *testing.T) {
	wantList(t, reasonCodes(codes.Reasons()),
		"32 33 34-1 34-2 34-3 34-4 34-5 35 36 EDU HEA MLTRY 29 29-7 30 OOS")
	var keys []string
	for _, r := range codes.Reasons() {
		keys = append(keys, r.Key)
		if got, ok := codes.FindReason(r.Code); !ok || got != r {
			t.Errorf("FindReason(%q) = %v, %v, want %v", r.Code, got, ok, r)
		}
		if c, ok := codes.FindCategory(r.Category); !ok || !c.NeedsReason() {
			t.Errorf("%s: category %q is unknown or needs no reason", r.Code, r.Category)
		}
		checkEnglish(t, r.Code, r.EN)
		checkArabic(t, r.Code, r.AR)
	}
	wantUnique(t, keys)
	if keys[2] != "VATEX_SA_34_1" {
		t.Errorf("key of VATEX-SA-34-1 is %s, want VATEX_SA_34_1", keys[2])
	}
	if _, ok := codes.FindReason("VATEX-SA-DIPLOMAT"); ok {
		t.Error("FindReason(VATEX-SA-DIPLOMAT) found a reason, want none")
	}
	codes.Reasons()[0].Code = "changed"
	if _, ok := codes.FindReason("VATEX-SA-32"); !ok || codes.Reasons()[0].Code != "VATEX-SA-32" {
		t.Error("a caller can change the table")
	}
}

func TestReasonsOf(t *testing.T) {
	for category, want := range map[string]string{
		"S": "",
		"Z": "32 33 34-1 34-2 34-3 34-4 34-5 35 36 EDU HEA MLTRY",
		"E": "29 29-7 30",
		"O": "OOS",
		"X": "",
	} {
		wantList(t, reasonCodes(codes.ReasonsOf(category)), want)
	}
}

func TestFurtherReasonCodesAreNotInReasons(t *testing.T) {
	for _, code := range codes.FurtherReasonCodes() {
		if slices.ContainsFunc(codes.Reasons(), func(r codes.Reason) bool { return r.Code == code }) {
			t.Errorf("%s is in Reasons, want it in FurtherReasonCodes only", code)
		}
	}
}
