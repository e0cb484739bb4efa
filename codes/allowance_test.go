package codes_test

import (
	"testing"

	"khatm/codes"
)

func TestAllowanceReasons(t *testing.T) {
	checkEntries(t, codes.AllowanceReasons, codes.FindAllowanceReason)
	checkArabicOf(t, codes.AllowanceReasons())
	wantList(t, codesOf(codes.AllowanceReasons()),
		"41 42 60 62 63 64 65 66 67 68 70 71 88 95 100 102 103 104 105")
	for code, want := range map[string]string{
		"60":           "MANUFACTURERS_CONSUMER_DISCOUNT",
		"68":           "END_OF_RANGE_DISCOUNT",
		codes.Discount: "DISCOUNT",
	} {
		if e, _ := codes.FindAllowanceReason(code); e.Key != want {
			t.Errorf("key of %s is %s, want %s", code, e.Key, want)
		}
	}
}
