package api_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

// TestGoldenReferenceData compares all reference data with a golden file, and
// checks that docs/contract.md lists every endpoint.
func TestGoldenReferenceData(t *testing.T) {
	const golden, page = "../../testdata/reference.json", "../../../docs/contract.md"
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
	testtool.Golden(t, *update, golden, append(got, '\n'))
}
