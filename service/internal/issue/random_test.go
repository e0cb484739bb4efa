package issue_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// bent returns a valid request with one or two random changes, which may be
// refused.
func bent(d *servicetest.Generator) servicetest.Fields {
	f := d.Right()
	for range 1 + d.IntN(2) {
		name := fmt.Sprint(d.Of("device", "seller", "buyer", "type_code", "transaction_code", "supply_date", "supply_end_date", "currency", "exchange_rate",
			"payment_means_type_code", "notes", "form_lines", "lines", "document_level_allowances", "add_prepaid_amount", "prepaid_invoices", "reason_id",
			"original_invoice_reference", "expected_payable_amount"))
		f[name] = d.Of(nil, servicetest.Unsent, "", "x", 0, -1, true, []any{}, []any{nil}, servicetest.Fields{}, uuid.New(), d.Other.Device.ID, d.Original, d.Spent, d.Pending,
			"2026-02-30", "2020-01-01", "USD", "XYZ", 381, 388, "388", "0100001", "30", "1e308", "NaN", strings.Repeat("9", 30), []any{d.Original}, []any{d.Spent},
			[]any{servicetest.Fields{"item_id": d.Few.ID, "quantity": 11}}, []any{servicetest.Fields{"item_id": d.Item.ID, "quantity": 1}}, []any{d.Line(servicetest.Fields{"vat_rate": 10})},
			[]any{d.Line(servicetest.Fields{"vat_category_code": "Z"})}, []any{d.Line(servicetest.Fields{"item_name": "abc"})}, "10.00")
	}
	return f
}

// TestA9_PreviewAndCreateAgree sends valid and changed requests to preview and
// then to create: refusals must be identical, amounts equal.
func TestA9_PreviewAndCreateAgree(t *testing.T) {
	t.Parallel()
	bodies := testtool.Count(120, 5_000)
	d := servicetest.Open(t, nil).Scenario().NewGenerator(9)
	accepted, refused := 0, 0
	for n := range bodies {
		request := d.Right()
		if n%2 == 1 {
			request = bent(d)
		}
		text := d.Standard(request)
		preview, create := d.Post("/v1/api/invoices/preview/", text), d.Post("/v1/api/invoices/", text)
		switch {
		case preview.Status == http.StatusCreated && create.Status == http.StatusAccepted:
			accepted++
			sameAmounts(d, t, preview, create)
		case preview.Status == http.StatusBadRequest && create.Status == http.StatusBadRequest && preview.Body == create.Body:
			refused++
		default:
			t.Fatalf("%s\npreview returns %d %s\ncreate returns %d %s\nwant both accepted, or the same refusal", text, preview.Status, preview.Body, create.Status, create.Body)
		}
		if n%2 == 0 && create.Status != http.StatusAccepted {
			t.Fatalf("valid request %s\ngot %s, want 202", text, create.Body)
		}
	}
	servicetest.ReportScenario(t, "A-9 preview and create agree", fmt.Sprint(bodies, " bodies"), 9, fmt.Sprintf("%d accepted, %d refused alike", accepted, refused))
	if refused < bodies/10 {
		t.Errorf("%d of %d requests were refused, want at least a tenth", refused, bodies)
	}
	d.CheckChains(d.Org)
}

func sameAmounts(d *servicetest.Generator, t *testing.T, preview, create servicetest.Answer) {
	t.Helper()
	shown, ok := preview.JSON(t)["invoice"].(map[string]any)
	if !ok {
		t.Fatalf("preview has no invoice: %s", preview.Body)
	}
	kept := d.Call(http.MethodGet, "/v1"+fmt.Sprint(create.JSON(t)["location"]), "").JSON(t)
	for _, name := range []string{"ref_num", "invoice_payable_amount", "invoice_total_vat_amount", "invoice_total_vat_amount_sar", "invoice_total_amount_without_vat", "vat_breakdown"} {
		if fmt.Sprint(shown[name]) != fmt.Sprint(kept[name]) {
			t.Errorf("%s of the preview = %v, want %v as in the invoice", name, shown[name], kept[name])
		}
	}
}

// TestConformanceCreatedDocuments checks documents created over HTTP from
// random facts with the authority's own rule sheets: no errors, and no
// avoidable warnings.
func TestConformanceCreatedDocuments(t *testing.T) {
	t.Parallel()
	oracle := os.Getenv("KHATM_ORACLE")
	if oracle == "" {
		t.Skip("set KHATM_ORACLE to a program that checks XML with the official rule sheets")
	}
	d := servicetest.Open(t, nil).Scenario().NewGenerator(12)
	folder := t.TempDir()
	exports := 0
	for n := range 500 {
		request := d.Right()
		switch n % 10 {
		case 3:
			request = d.Export(request)
		case 5, 6:
			request = servicetest.Fields{"type_code": []any{381, 383}[n%2], "original_invoice_reference": []any{d.Accepted(d.Created(d.Standard(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint("original ", n))})))}, "reason_id": d.Reason.ID, "notes": servicetest.Note(fmt.Sprint("note ", n))}
		case 7:
			advance := d.Accepted(d.Created(d.Standard(servicetest.Fields{"type_code": 386, "notes": servicetest.Note(fmt.Sprint("advance ", n))})))
			request = servicetest.Fields{"add_prepaid_amount": true, "prepaid_invoices": []any{advance}, "notes": servicetest.Note(fmt.Sprint("final ", n))}
		}
		if request["transaction_code"] == "0100100" {
			exports++
		}
		id := d.Created(d.Standard(request))
		xml, err := d.Service.Store().SignedXML(t.Context(), org.TenantOf(d.Org.ID), id)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%03d.xml", n)), xml, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	judged(t, oracle, folder, d.Clock.Now(), 500)
	t.Logf("500 documents, %d exports", exports)
	if exports < 20 {
		t.Errorf("%d exports were generated, want at least 20", exports)
	}
}

// unavoidable are warnings on valid documents: two reasons in one category, and
// VAT in a foreign currency that rounds to the same number in SAR.
var unavoidable = []string{"BR-Z-08", "BR-E-08", "BR-O-08", "BR-KSA-97"}

// judged checks the documents of a folder with the official rule sheets, at the
// time at.
func judged(t *testing.T, oracle, folder string, at time.Time, want int) {
	t.Helper()
	judge := exec.Command(oracle, "--json", "--stamp-standard", "--now", at.UTC().Format(time.RFC3339), folder)
	var out, failed bytes.Buffer
	judge.Stdout, judge.Stderr = &out, &failed
	if err := judge.Run(); err != nil && out.Len() == 0 {
		t.Fatalf("run the oracle: %v %s", err, failed.String())
	}
	judged, warned := 0, map[string]int{}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var v struct {
			File     string `json:"file"`
			Findings []struct{ Flag, ID, Text string }
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		judged++
		for _, f := range v.Findings {
			warned[f.ID]++
			if f.Flag != "warning" || !slices.Contains(unavoidable, f.ID) {
				t.Errorf("%s: %s %s %s", v.File, f.Flag, f.ID, f.Text)
			}
		}
	}
	t.Logf("%d judged, warnings %v", judged, warned)
	if judged != want {
		t.Errorf("the oracle checked %d documents, want %d", judged, want)
	}
}
