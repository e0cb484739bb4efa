package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// write writes the files for users: credentials, shell variables, request bodies
// and the accepted documents.
func (f *demoFolder) write(documents []demoDocument) error {
	if err := writeJSON(f.credentials, f.kept.demoCredentials); err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(f.path, "env"), []byte(f.variables())); err != nil {
		return err
	}
	for _, folder := range []string{"bodies", "documents"} {
		if err := os.MkdirAll(filepath.Join(f.path, folder), 0o700); err != nil {
			return err
		}
	}
	for name, body := range f.kept.readyBodies() {
		if err := writeJSON(filepath.Join(f.path, "bodies", name), body); err != nil {
			return err
		}
	}
	for _, d := range documents {
		if err := f.writeDocument(d); err != nil {
			return err
		}
	}
	return nil
}

// variables returns the content of the file env: shell variables.
func (f *demoFolder) variables() string {
	k := f.kept
	return fmt.Sprintf("# In a shell:  . %s\nURL=%s\nTOOLS=%s\nAPP=%s\nEMAIL=%s\nPASSWORD=%s\nKEY=%s\nDEVICE=%s\nSELLER=%s\nBUYER=%s\nREASON=%s\n",
		shellWord(filepath.Join(f.path, "env")), k.BaseURL, k.PublicURL+"/api/public", k.AppURL+"/app", shellWord(k.Admin.Email), shellWord(k.Admin.Password), k.Keys.CreateInvoice, k.device("1100"), k.Organisation.UUID, k.Buyers.WithVAT, k.Reasons.Active)
}

// writeDocument writes the signed XML and the PDF of an accepted document.
func (f *demoFolder) writeDocument(d demoDocument) error {
	if d.Data == nil || d.Data.XML == "" {
		return nil
	}
	xml, err := base64.StdEncoding.DecodeString(d.Data.XML)
	if err != nil {
		return fmt.Errorf("decode the XML of %s: %w", d.Number, err)
	}
	if err := replaceFile(filepath.Join(f.path, "documents", d.Number+".xml"), xml); err != nil || d.PDF == nil {
		return err
	}
	return replaceFile(filepath.Join(f.path, "documents", d.Number+".pdf"), d.PDF)
}

// print lists the documents, explains the rejected one and suggests commands to
// try.
func (f *demoFolder) print(out io.Writer, documents []demoDocument, page, link string) error {
	k := f.kept
	name := k.Organisation.Name
	if k.NameArabic != "" { // a folder of an earlier version has none
		name += " / " + k.NameArabic
	}
	fmt.Fprintf(out, "%s has issued four documents. The authority is a simulator: nothing\nreaches the real one, and none of these documents is a tax invoice.\n\n", name)
	err := printTable(out, false, documents, "number, date, document, sar, answer", func(d demoDocument) []any {
		status := d.Status
		if status == "" {
			status = "not answered yet"
		}
		return []any{d.Number, d.Date, demoTitles[d.Shows], d.Payable, status}
	})
	if err != nil {
		return err
	}
	for _, d := range documents {
		if d.Data != nil && len(d.Data.Results.Errors) > 0 {
			d.explain(out)
		}
	}
	fmt.Fprintln(out)
	return f.printLocations(out, documents, page, link)
}

var demoTitles = map[string]string{
	"standard":    "standard invoice, to a company",
	"simplified":  "simplified invoice, to a consumer",
	"credit note": "credit note for part of the first one",
	"rejected":    "standard invoice at 10 % VAT",
}

// explain prints why a document was rejected, in both languages.
func (d demoDocument) explain(out io.Writer) {
	fmt.Fprintf(out, "\n%s was rejected:\n", d.Number)
	for _, e := range d.Data.Results.Errors {
		if e.Explanation == nil {
			fmt.Fprintf(out, "  %s: %s\n", e.Code, oneLine(e.Message))
			continue
		}
		x := e.Explanation
		fmt.Fprintf(out, "  %s: %s\n  %s\n  what to do: %s\n  %s\n", e.Code, oneLine(x.Message), oneLine(x.MessageArabic), oneLine(x.Fix), oneLine(x.FixArabic))
		if x.Path != "" {
			fmt.Fprintf(out, "  field: %s\n", x.Path)
		}
	}
}

func (f *demoFolder) printLocations(out io.Writer, documents []demoDocument, page, link string) error {
	k := f.kept
	err := printCard(out,
		[2]string{"web app", k.AppURL + "/"}, [2]string{"sign in to it, once, within ten minutes", link}, [2]string{"API", k.BaseURL}, [2]string{"documentation", k.BaseURL + "/api/integrations/docs"},
		[2]string{"public tools", k.PublicURL + "/api/public/docs"}, [2]string{"an invoice as its buyer sees it", documents[0].Link},
		[2]string{"the simulator of the authority", page},
		[2]string{"keys and ids", f.credentials},
		[2]string{"PDF and signed XML", filepath.Join(f.path, "documents")}, [2]string{"request bodies", filepath.Join(f.path, "bodies")})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, `
Try this in another terminal, in this folder: send an invoice, read its status,
then start and end an outage of the authority.
  . %[1]s
  curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d @%[2]s $URL/api/invoices/
  curl -H "Authorization: Bearer $KEY" "$URL/api/invoices/?page_size=1"
  %[3]s
  %[4]s
`, shellWord(filepath.Join(f.path, "env")), shellWord(filepath.Join(f.path, "bodies", "standard.json")), moodCommand(f.path, "outage"), moodCommand(f.path, "polite"))
	return err
}
