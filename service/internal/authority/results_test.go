package authority_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/service/internal/ledger"
)

var (
	xsd  = ledger.Message{Type: "INFO", Code: "XSD_ZATCA_VALID", Category: "XSD validation", Message: "Complied with UBL 2.1 standards in line with ZATCA specifications", Status: "PASS"}
	late = ledger.Message{Type: "WARNING", Code: "BR-KSA-98", Category: "KSA", Message: "[BR-KSA-98] - The simplified invoice should be submitted within 24 hours of issuing the invoice.", Status: "WARNING"}
	four = ledger.Message{Type: "ERROR", Code: "BR-KSA-37", Category: "KSA", Message: "The seller address building number must contain 4 digits.", Status: "ERROR"}
)

// Results are read in all known formats.
func TestResultsAreReadInEveryShape(t *testing.T) {
	for body, want := range map[string]ledger.Verdict{
		"accepts-cleared.json":         {Status: ledger.Cleared, Result: "PASS", Infos: []ledger.Message{xsd}, Cleared: []byte("<Invoice>cleared</Invoice>")},
		"accepts-info-object.json":     {Status: ledger.Reported, Result: "PASS", Infos: []ledger.Message{xsd}},
		"accepts-flat.json":            {Status: ledger.Reported, Result: "WARNING", Infos: []ledger.Message{xsd}, Warnings: []ledger.Message{late}},
		"accepts-first-version.json":   {Result: "Accepted with Warnings", Warnings: []ledger.Message{late}},
		"accepts-reported-warned.json": {Status: ledger.Reported, Result: "WARNING", Infos: []ledger.Message{xsd}, Warnings: []ledger.Message{{Code: "BR-KSA-98", Category: "KSA", Message: "late"}}},
		"refuses-nested.json":          {Status: ledger.NotCleared, Result: "ERROR", Infos: []ledger.Message{xsd}, Warnings: []ledger.Message{late}, Errors: []ledger.Message{four}},
		"refuses-misspelt.json":        {Status: ledger.NotReported, Result: "ERROR", Errors: []ledger.Message{four}},
		"refuses-flat.json":            {Status: ledger.NotReported, Result: "ERROR", Errors: []ledger.Message{four}},
		"refuses-one-object.json":      {Status: ledger.NotCleared, Result: "ERROR", Errors: []ledger.Message{four}},
		"refuses-first-version.json":   {Result: "Not Accepted", Errors: []ledger.Message{{Code: "404", Message: "a number as its code"}}},
		"hollow-null-message.json":     {Status: ledger.NotReported, Result: "ERROR"},
		"other-unauthorized.json":      {},
		"page-blocked.html":            {},
	} {
		t.Run(body, func(t *testing.T) {
			text, err := os.ReadFile("testdata/bodies/" + body)
			if err != nil {
				t.Fatal(err)
			}
			got := hostile(t, http.StatusOK, text, nil).send("clearance")
			got.Outcome, got.Code, got.Raw, got.Sent = "", 0, nil, false // covered by other tests
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}
