package sample_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"khatm/sample"
	"khatm/ubl"
)

// verdict is the result of the external validator for one document.
type verdict struct {
	File     string            `json:"file"`
	Stages   map[string]string `json:"stages"`
	Findings []struct {
		Stage, Flag, ID, Location, Text string
	} `json:"findings"`
}

// allowed are the warnings that valid documents may get, with the documents that may
// get them. Errors are never allowed.
var allowed = []struct {
	id, why string
	to      func(*ubl.Invoice) bool
}{
	{"BR-Z-08", "the sheet compares each subtotal with all lines of its category, so it always warns if there are two reasons", twoSubtotalsOf("Z")},
	{"BR-E-08", "as BR-Z-08", twoSubtotalsOf("E")},
	{"BR-O-08", "as BR-Z-08", twoSubtotalsOf("O")},
	{"BR-KSA-97", "a tiny foreign VAT can round to the same number in riyals", sameVATInRiyals},
	{"BR-CO-13", "the sheet adds up the lines in floating point, which loses cents above some trillions", binarySumIsOff},
}

func twoSubtotalsOf(category string) func(*ubl.Invoice) bool {
	return func(inv *ubl.Invoice) bool {
		n := 0
		for _, s := range inv.TaxTotals[1].Subtotals {
			if s.TaxCategory.ID.String() == category {
				n++
			}
		}
		return n > 1
	}
}

func sameVATInRiyals(inv *ubl.Invoice) bool {
	return inv.DocumentCurrencyCode.String() != "SAR" &&
		inv.TaxTotals[0].TaxAmount.String() == inv.TaxTotals[1].TaxAmount.String()
}

// binarySumIsOff adds up the lines in floating point, as the sheet does, and reports
// whether the result differs from the exact amount without VAT.
func binarySumIsOff(inv *ubl.Invoice) bool {
	var sum float64
	for _, l := range inv.Lines {
		net, _ := strconv.ParseFloat(l.LineExtensionAmount.String(), 64)
		sum += net
	}
	allowances, ok := new(big.Rat).SetString(inv.MonetaryTotal.AllowanceTotalAmount.String())
	if !ok {
		return false // without a discount the sheet does not compute the sum
	}
	without := new(big.Rat).SetFloat64(sum)
	without.Sub(without, allowances)
	return without.FloatString(2) != inv.MonetaryTotal.TaxExclusiveAmount.String()
}

// TestConformanceOwnDocuments validates the documents of this package with the
// authority's own schema and rule sheets. KHATM_ORACLE is a program that runs them: it
// is called with --json --stamp-standard --now TIME FOLDER and prints one JSON object
// per document.
func TestConformanceOwnDocuments(t *testing.T) {
	oracle := os.Getenv("KHATM_ORACLE")
	if oracle == "" {
		t.Skip("KHATM_ORACLE is not set; set it to a program that runs the official rule sheets")
	}
	folder := t.TempDir()
	names := writeDocuments(t, folder, 1_000)
	verdicts := judge(t, oracle, folder, firstIssue.Add(time.Duration(len(names))*time.Second+time.Hour))
	if len(verdicts) != len(names) {
		t.Errorf("verdicts: got %d, want %d", len(verdicts), len(names))
	}
	warnings := map[string]int{}
	for _, v := range verdicts {
		file := filepath.Base(v.File)
		for _, stage := range []string{"XSD", "EN", "KSA", "SIGNATURE", "QR"} {
			if v.Stages[stage] != "PASS" {
				t.Errorf("%s (%s): stage %s is %q, want PASS", file, names[file], stage, v.Stages[stage])
			}
		}
		for _, f := range v.Findings {
			if f.Flag == "warning" {
				warnings[f.ID]++
			}
			if f.Flag != "warning" || !excused(t, f.ID, v.File) {
				t.Errorf("%s (%s): %s %s %s at %s: %s", file, names[file], f.Stage, f.Flag, f.ID, f.Location, f.Text)
			}
		}
	}
	t.Logf("%d documents validated", len(verdicts))
	for _, id := range slices.Sorted(maps.Keys(warnings)) {
		t.Logf("%d warnings %s", warnings[id], id)
	}
}

// TestWriteBaskets writes 1,000 sales at prices including VAT, sealed, to the folder
// in KHATM_BASKETS, for validators that cannot be run from a test.
func TestWriteBaskets(t *testing.T) {
	folder := os.Getenv("KHATM_BASKETS")
	if folder == "" {
		t.Skip("KHATM_BASKETS is not set; set it to an empty folder for the documents")
	}
	device := newDevice(t)
	for seed := range uint64(1_000) {
		c := basket(seed)
		sealed, err := device.Seal(c.Facts)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("basket-%04d.xml", seed)), sealed.XML, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// writeDocuments writes every case, count random documents and count sales at prices
// including VAT, sealed, to a folder and returns the names of the cases by file.
func writeDocuments(t *testing.T, folder string, count int) map[string]string {
	t.Helper()
	cases := sample.Every()
	for seed := range uint64(count) {
		cases = append(cases, random(seed), basket(seed))
	}
	device := newDevice(t)
	names := make(map[string]string, len(cases))
	for i, c := range cases {
		sealed, err := device.Seal(c.Facts)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		file := fmt.Sprintf("%05d.xml", i)
		names[file] = c.Name
		if err := os.WriteFile(filepath.Join(folder, file), sealed.XML, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// judge runs the program on the folder. Status 1 means that it rejects a document,
// which the verdicts show.
func judge(t *testing.T, oracle, folder string, now time.Time) []verdict {
	t.Helper()
	command := exec.Command(oracle, "--json", "--stamp-standard", "--now", now.Format(time.RFC3339), folder)
	var complaint strings.Builder
	command.Stderr = &complaint
	out, err := command.Output()
	var ended *exec.ExitError
	if err != nil && !(errors.As(err, &ended) && ended.ExitCode() == 1) {
		t.Fatalf("%s: %v: %s", oracle, err, complaint.String())
	}
	var verdicts []verdict
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("verdict %.200q: %v", lines.Text(), err)
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// excused reports whether a document may get the warning.
func excused(t *testing.T, id, file string) bool {
	t.Helper()
	for _, a := range allowed {
		if a.id != id {
			continue
		}
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		inv, err := ubl.Read(document)
		if err != nil {
			t.Fatal(err)
		}
		return a.to(inv)
	}
	return false
}
