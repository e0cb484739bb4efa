package issue_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/sample"
	"khatm/seal"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/ubl"
)

// A preview has all values of the invoice that Create would issue, except those
// that only an issued invoice has.
func TestPreview(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := key(standard(lines(line(), zero("3")), note("Thank you")), "k")
	shown, err := s.issuer.Preview(t.Context(), s.by, r)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "documents", len(s.book.entries)+s.book.appends, 0)
	if shown.ID != uuid.Nil || shown.Counter != 0 || shown.Hash+shown.PreviousHash+shown.QR != "" || !shown.CreatedAt.IsZero() || shown.Share.Digest != nil {
		t.Errorf("the preview has values of an issued document: %+v", shown)
	}
	issued := s.create(r)
	for n := range issued.Record.Lines {
		issued.Record.Lines[n].ID = shown.Record.Lines[n].ID
	}
	same(t, "record", asJSON(t, shown.Record), asJSON(t, issued.Record))
	same(t, "head", head(shown), head(issued))
}

func head(i ledger.Invoice) string {
	return strings.Join([]string{i.Device.String(), i.Number, i.Transaction.String(), i.IssueDate, i.IssueTime, i.IssuedAt.String(), i.IdempotencyKey, string(i.Payment)}, " ")
}

// PreviewXML returns the preview as XML, with the given number and without a
// chain position.
func TestPreviewXML(t *testing.T) {
	t.Parallel()
	s := open(t)
	shown, xml, err := s.issuer.PreviewXML(t.Context(), s.by, standard(note("A draft")), "DRAFT-7")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "number", shown.Number, "DRAFT-7")
	amounts(t, "payable", shown.Record.Totals.Payable, "115")
	doc, err := ubl.Read(xml)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "number in the document", doc.ID.Value, "DRAFT-7")
	same(t, "chain references", len(doc.AdditionalDocumentReferences), 0)
	same(t, "date in the document", doc.IssueDate.Value, "2026-11-15")
	same(t, "documents", len(s.book.entries), 0)
	if _, _, err := s.issuer.PreviewXML(t.Context(), s.by, standard(lines()), "DRAFT-7"); refusalOf(err) != "no lines" {
		t.Errorf("PreviewXML without lines = %v, want the refusal \"no lines\"", err)
	}
}

// Explain explains the rule codes of the authority, with the field of the
// request.
func TestExplain(t *testing.T) {
	t.Parallel()
	s := open(t)
	form := s.create(standard(lines(line(), lineOf("1", "1", "14"))))
	item := s.book.items[paper]
	item.Rate = dec("14")
	s.book.items[paper] = item
	catalogue := s.create(standard(items(paper, "1")))
	for n, c := range []struct {
		invoice ledger.Invoice
		codes   []string
		path    string
		count   int
	}{
		{form, []string{"BR-KSA-84"}, "invoice_schema_data.form_lines.1.vat_rate", 1},
		{catalogue, []string{"BR-KSA-84", "X-1"}, "invoice_schema_data.lines.0.vat_rate", 1},
		{form, []string{"BR-KSA-84", "BR-KSA-49"}, "invoice_schema_data.form_lines.1.vat_rate", 2},
		{form, []string{"X-1"}, "", 0},
		{form, nil, "", 0},
	} {
		xml := s.book.entries[0].XML
		if c.invoice.ID == catalogue.ID {
			xml = s.book.entries[1].XML
		}
		got := issue.Explain(c.invoice, xml, c.codes, morning)
		same(t, "explained", len(got), c.count)
		if c.count == 0 {
			continue
		}
		e := got["BR-KSA-84"]
		if e.Path != c.path || !e.Broken || e.Says.EN == "" || e.Says.AR == "" || e.Fix.EN == "" || e.Fix.AR == "" {
			t.Errorf("case %d: explanation %+v, want texts and the path %q", n, e, c.path)
		}
		if other := got["BR-KSA-49"]; other.Path != "" || other.Broken {
			t.Errorf("case %d: a rule that passed is explained by %+v", n, other)
		}
	}
	unreadable := issue.Explain(form, []byte("<"), []string{"BR-KSA-84"}, morning)
	if e := unreadable["BR-KSA-84"]; e.Says.EN == "" || e.Path != "" {
		t.Errorf("explanation of an unreadable document = %+v, want one without a path", e)
	}
}

// A device stamps with its current key and certificate.
func TestRenewedDevice(t *testing.T) {
	t.Parallel()
	kit, err := sharedStamps()
	if err != nil {
		t.Fatal(err)
	}
	old, err := kit.ring.Signer(issue.DeviceKey, firstDevice.String(), kit.sealed[firstDevice])
	if err != nil {
		t.Fatal(err)
	}
	fresh, freshSealed, err := kit.ring.NewDeviceKey(issue.DeviceKey, firstDevice.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		sealed      []byte
		certificate string
		ok          bool
	}{
		{"key and certificate", freshSealed, rehearsal(t, fresh), true},
		{"certificate", kit.sealed[firstDevice], rehearsal(t, old), true},
		{"key that does not match the certificate", freshSealed, kit.tokens[firstDevice], false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.create(standard(note("before")))
			chain := s.book.devices[firstDevice]
			chain.Key, chain.Token = c.sealed, c.certificate
			s.book.devices[firstDevice] = chain
			_, err := s.issuer.Create(t.Context(), s.by, standard(note("after")))
			same(t, "issued", err == nil, c.ok)
			if c.ok && !strings.Contains(string(s.book.entries[1].XML), c.certificate) {
				t.Error("the document does not have the current certificate")
			}
		})
	}
}

// rehearsal returns a new test certificate for a key.
func rehearsal(t *testing.T, key seal.Signer) string {
	t.Helper()
	certificate, err := seal.TestCertificate(key, unitOf(firstDevice), morning, sample.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	return certificate.Text
}
