package codes_test

import (
	"regexp"
	"testing"

	"khatm/codes"
)

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// checkClassifications checks a list of classifications: well-formed and unique UUIDs
// and codes, texts in both languages, and a lookup that agrees with the list.
func checkClassifications(t *testing.T, all []codes.Classification, find func(string) (codes.Classification, bool)) {
	t.Helper()
	var uuids, keys, entryCodes []string
	for _, c := range all {
		uuids, keys, entryCodes = append(uuids, c.UUID), append(keys, c.Key), append(entryCodes, c.Code)
		if !uuidForm.MatchString(c.UUID) {
			t.Errorf("%s: malformed UUID %q", c.Key, c.UUID)
		}
		if got, ok := find(c.UUID); !ok || got != c {
			t.Errorf("find(%q) = %v, %v, want %v", c.UUID, got, ok, c)
		}
		checkEnglish(t, c.Key, c.EN)
		checkArabic(t, c.Key, c.AR)
	}
	wantUnique(t, uuids)
	wantUnique(t, keys)
	wantUnique(t, entryCodes)
	for _, unknown := range []string{"", "00000000-0000-0000-0000-000000000000", all[0].Code} {
		if c, ok := find(unknown); ok {
			t.Errorf("find(%q) = %v, want none", unknown, c)
		}
	}
}

func TestBusinessTypes(t *testing.T) {
	checkClassifications(t, codes.BusinessTypes(), codes.FindBusinessType)
	want := []codes.Classification{
		{UUID: "6c6a6e49-1046-52e9-911b-8024397176c3", Entry: codes.Entry{Key: "B2B", Code: "1000", EN: "B2B"}},
		{UUID: "cd25e53c-5546-5d8c-ac0b-3cf80c9d14a3", Entry: codes.Entry{Key: "B2C", Code: "0100", EN: "B2C"}},
		{UUID: "0ae7d8b9-6149-593c-8201-0c6b9cfd957e", Entry: codes.Entry{Key: "BOTH", Code: "1100", EN: "Both"}},
	}
	all := codes.BusinessTypes()
	if len(all) != len(want) {
		t.Fatalf("got %d business types, want %d", len(all), len(want))
	}
	for i, w := range want {
		byCode, ok := codes.BusinessTypeOf(w.Code)
		if !ok || byCode != all[i] {
			t.Errorf("BusinessTypeOf(%q) = %v, %v, want %v", w.Code, byCode, ok, all[i])
		}
		byCode.AR = ""
		if byCode != w {
			t.Errorf("business type = %v, want %v", byCode, w)
		}
	}
	all[0].UUID = "changed"
	if codes.BusinessTypes()[0] == all[0] {
		t.Error("a caller can change the table")
	}
}

func TestUUIDsAreUniqueAcrossLists(t *testing.T) {
	var uuids []string
	for _, c := range append(codes.BusinessTypes(), codes.Industries()...) {
		uuids = append(uuids, c.UUID)
	}
	wantUnique(t, uuids)
}
