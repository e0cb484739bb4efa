package service_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestGoldenReferenceData compares all reference data with a golden file, and
// checks that docs/contract.md lists every endpoint.
func TestGoldenReferenceData(t *testing.T) {
	const golden, page = "testdata/reference.json", "../docs/contract.md"
	contract, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	h := servicetest.Open(t, nil)
	lists := map[string]servicetest.Record{}
	for _, path := range servicetest.ReferencePaths() {
		lists[path] = h.Read(t, path)
		if !strings.Contains(string(contract), "`"+path+"`") {
			t.Errorf("%s does not list %s; add it to section 4.6", page, path)
		}
	}
	got, err := json.MarshalIndent(lists, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.Split(strings.TrimSpace(string(want)), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("%s is out of date; run make golden and read the difference (-want +got):\n%s", golden, diff)
	}
}
