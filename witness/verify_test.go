package witness_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"khatm/witness"
)

func TestVerifyStamped(t *testing.T) {
	cases := []struct {
		name   string
		layout layout
		tags   int
	}{
		{"simplified", layout{}, 9},
		{"standard", layout{standard: true}, 8},
		{"indented stamp", layout{indented: true}, 9},
		{"expanded empty elements", layout{expanded: true}, 9},
		{"indented and expanded", layout{indented: true, expanded: true}, 9},
		{"high S", layout{highS: true}, 9},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report := verify(t, stamped(t, c.layout), witness.Expect{RequireStamp: true, PreviousHash: firstPrevious, Certificate: testCertificate(t)})
			for _, f := range report.Findings {
				t.Errorf("unexpected finding %+v", f)
			}
			if got := len(report.QR); got != c.tags {
				t.Errorf("QR code has %d tags, want %d", got, c.tags)
			}
			want := witness.Report{
				Number: "INV-7", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-02-03", IssueTime: "14:05:06",
				TypeCode: "388", Transaction: c.layout.transaction(), Counter: "42", PreviousHash: firstPrevious,
				SellerName: "شركة الاختبار", SellerVAT: "399999999900003", Payable: "105.00", VATTotal: "15.00",
				Stamped: true, SigningTime: "2026-02-03T14:05:07",
				Hash: report.Hash, Signature: report.Signature, Certificate: report.Certificate, QR: report.QR,
			}
			if got, want := texts(report), texts(&want); got != want {
				t.Errorf("report\ngot  %s\nwant %s", got, want)
			}
		})
	}
}

func TestVerifyUnstamped(t *testing.T) {
	missing := "stamp-missing stamp-missing qr-missing"
	cases := []struct {
		name     string
		document string
		expect   witness.Expect
		want     string
	}{
		{"standard", unstamped(layout{standard: true}), witness.Expect{}, ""},
		{"standard, stamp required", unstamped(layout{standard: true}), witness.Expect{RequireStamp: true}, missing},
		{"simplified", unstamped(layout{}), witness.Expect{}, missing},
		{"neither standard nor simplified", strings.Replace(unstamped(layout{}), "0200000", "0300000", 1), witness.Expect{}, "transaction-code " + missing},
		{"only a signature reference", strings.Replace(unstamped(layout{standard: true}), "<cac:AccountingSupplierParty>", signatureText+"<cac:AccountingSupplierParty>", 1), witness.Expect{}, "stamp-missing qr-missing"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := ids(verify(t, c.document, c.expect)); got != c.want {
				t.Errorf("findings: got %q, want %q", got, c.want)
			}
		})
	}
}

func TestVerifyExpectations(t *testing.T) {
	other := append(testCertificate(t), 0)
	hash := "gT6PPZh/aWmUhCvjHRIt+2fSSzEcYhw0PQ+GqeN/n7o="
	cases := []struct {
		name   string
		expect witness.Expect
		want   string
	}{
		{"another previous hash", witness.Expect{PreviousHash: hash}, "previous-hash"},
		{"another certificate", witness.Expect{Certificate: other}, "certificate-other"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := ids(verify(t, stamped(t, layout{}), c.expect)); got != c.want {
				t.Errorf("findings: got %q, want %q", got, c.want)
			}
		})
	}
}

// Changes that leave the content of the XML the same cause no findings.
func TestReadings(t *testing.T) {
	document := stamped(t, layout{})
	cases := []struct{ name, document string }{
		{"a byte order mark", "\xEF\xBB\xBF" + document},
		{"no XML declaration", "<Invoice" + strings.SplitN(document, "<Invoice", 2)[1]},
		{"a comment before the root", strings.Replace(document, "<Invoice", "<!-- hello --><Invoice", 1)},
		{"a comment between elements", strings.Replace(document, "<cac:InvoiceLine>", "<!-- hello --><cac:InvoiceLine>", 1)},
		{"line ends of another system", strings.ReplaceAll(document, "\n", "\r\n")},
		{"CDATA", strings.Replace(document, ">INV-7<", "><![CDATA[INV-7]]><", 1)},
		{"a character reference", strings.Replace(document, ">INV-7<", ">INV&#x2D;7<", 1)},
		{"other quotes", strings.Replace(document, `languageID="ar"`, `languageID='ar'`, 1)},
		{"a self-closed element", strings.Replace(document, "<cac:AccountingCustomerParty></cac:AccountingCustomerParty>", "<cac:AccountingCustomerParty/>", 1)},
		{"a namespace declared again", strings.Replace(document, "<cac:InvoiceLine>", `<cac:InvoiceLine xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2">`, 1)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.document == document {
				t.Fatal("the document was not changed")
			}
			if got := ids(verify(t, c.document, witness.Expect{})); got != "" {
				t.Errorf("findings: got %q, want none", got)
			}
		})
	}
}

func TestReportIsDeterministic(t *testing.T) {
	document := strings.ReplaceAll(stamped(t, layout{}), "Algorithm", "Rule")
	first := verify(t, document, witness.Expect{})
	for range 5 {
		if got, want := texts(verify(t, document, witness.Expect{})), texts(first); got != want {
			t.Fatalf("second report differs\ngot  %s\nwant %s", got, want)
		}
	}
}

func TestFindingsAreBounded(t *testing.T) {
	document := strings.Replace(stamped(t, layout{}), "<cac:InvoiceLine>", strings.Repeat("<cac:Signature/>", 100_000)+"<cac:InvoiceLine>", 1)
	report := verify(t, document, witness.Expect{})
	last := report.Findings[len(report.Findings)-1]
	if len(report.Findings) != 101 || last.ID != "more-findings" {
		t.Errorf("got %d findings, the last %s; want 101, the last more-findings", len(report.Findings), last.ID)
	}
}

func verify(t testing.TB, document string, expect witness.Expect) *witness.Report {
	t.Helper()
	input := []byte(document)
	report, err := witness.Verify(input, expect)
	if err != nil {
		var unreadable *witness.Unreadable
		if !errors.As(err, &unreadable) {
			t.Fatalf("error is %T, want *Unreadable: %v", err, err)
		}
		t.Fatal(err)
	}
	if !bytes.Equal(input, []byte(document)) {
		t.Fatal("Verify changed its input")
	}
	return report
}

// ids returns the ids of the findings in order.
func ids(report *witness.Report) string {
	var all []string
	for _, f := range report.Findings {
		all = append(all, f.ID)
	}
	return strings.Join(all, " ")
}

// texts returns the texts of a report and its findings, for comparing.
func texts(r *witness.Report) string {
	all := []string{
		r.Hash, r.Number, r.UUID, r.IssueDate, r.IssueTime, r.TypeCode, r.Transaction, r.Counter, r.PreviousHash,
		r.SellerName, r.SellerVAT, r.Payable, r.VATTotal, r.SigningTime, r.Signature,
	}
	for _, f := range r.Findings {
		all = append(all, f.ID, f.Path, f.Message, f.Want, f.Got)
	}
	return strings.Join(all, "|")
}
