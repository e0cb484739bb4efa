package pdfa_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"khatm/pdfa"
)

func same(s string) string { return s }

// TestExtractReads checks that the file is extracted from valid PDFs of different
// structure, and from PDFs with errors that can be repaired.
func TestExtractReads(t *testing.T) {
	file := func(dict, data string) []byte { return withFile(stream("/Type/EmbeddedFile"+dict, data)).bytes() }
	png := func(s string, kind byte, row int) string {
		var out []byte
		for len(s) > 0 {
			n := min(row, len(s))
			out = append(append(out, kind), s[:n]...)
			s = s[n:]
		}
		return string(out)
	}
	whole := string(plain().bytes())
	headless, _, _ := strings.Cut(whole, "xref\n0")
	cases := map[string][]byte{
		"plain":                    plain().bytes(),
		"flate":                    file("/Filter/FlateDecode", flated(invoiceXML)),
		"flate, short name":        file("/Filter/Fl", flated(invoiceXML)),
		"flate without header":     file("/Filter/FlateDecode", flated(invoiceXML)[2:]),
		"flate, wrong checksum":    file("/Filter[/FlateDecode]", flated(invoiceXML)[:len(flated(invoiceXML))-4]+"abcd"),
		"lzw":                      file("/Filter/LZWDecode", lzwEarly(invoiceXML)),
		"lzw, late":                file("/Filter/LZWDecode/DecodeParms<</EarlyChange 0>>", lzwLate(invoiceXML)),
		"ascii85":                  file("/Filter/ASCII85Decode", ascii85ed(invoiceXML)),
		"hexadecimal":              file("/Filter/ASCIIHexDecode", hexed(invoiceXML)),
		"run lengths":              file("/Filter/RunLengthDecode", runLengths(invoiceXML)),
		"two filters":              file("/Filter[/ASCII85Decode/FlateDecode]/DecodeParms[null null]", ascii85ed(flated(invoiceXML))),
		"identity crypt":           file("/Filter[/Crypt/FlateDecode]/DecodeParms[<</Name/Identity>> null]", flated(invoiceXML)),
		"predictor none":           file("/Filter/FlateDecode/DecodeParms<</Predictor 10/Columns 7>>", flated(png(invoiceXML, 0, 7))),
		"table in streams":         plain().packed("", same),
		"table in flate streams":   plain().packed("/Filter/FlateDecode", flated),
		"table in lzw streams":     plain().packed("/Filter/LZWDecode", lzwEarly),
		"junk before the header":   append([]byte("junk junk\n"), plain().bytes()...),
		"no cross-reference":       []byte(headless),
		"wrong startxref":          []byte(strings.Replace(whole, "startxref\n", "startxref\n9", 1)),
		"streams, wrong startxref": bytes.Replace(plain().packed("/Filter/FlateDecode", flated), []byte("startxref\n"), []byte("startxref\n9"), 1),
		"length too short":         []byte(strings.Replace(whole, "/Length 2019", "/Length 19", 1)),
		"length far too long":      []byte(strings.Replace(whole, "/Length 2019", "/Length 99999999", 1)),
		"length elsewhere":         withFile("<</Type/EmbeddedFile/Length 6 0 R>>\nstream\n"+invoiceXML+"\nendstream").with(6, "2019").bytes(),
		"moved by an editor":       []byte(strings.Replace(whole, "%PDF-1.7\n", "%PDF-1.7\n% a comment that moves everything\n", 1)),
		"only associated":          plain().with(1, "<</Type/Catalog/Pages 2 0 R/AF[4 0 R]>>").bytes(),
		"associated without array": plain().with(1, "<</Type/Catalog/Pages 2 0 R/AF 4 0 R>>").bytes(),
		"of a page":                plain().with(1, "<</Type/Catalog/Pages 2 0 R>>").with(3, "<</Type/Page/Parent 2 0 R/AF[4 0 R]>>").bytes(),
		"of an annotation":         plain().with(1, "<</Type/Catalog/Pages 2 0 R>>").with(3, "<</Type/Page/Parent 2 0 R/Annots[<</Subtype/FileAttachment/FS 4 0 R>>]>>").bytes(),
		"name tree with kids":      plain().with(1, "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Kids[6 0 R]>>>>>>").with(6, "<</Limits[(a)(z)]/Names[(invoice.xml) 4 0 R]>>").bytes(),
		"name tree with a circle":  plain().with(1, "<</Type/Catalog/Names<</EmbeddedFiles 6 0 R>>>>").with(6, "<</Kids[6 0 R 7 0 R]>>").with(7, "<</Kids[6 0 R]/Names[(a) 4 0 R]>>").bytes(),
		"old and new":              updated(),
		"hybrid":                   hybrid(),
	}
	for name, data := range cases {
		t.Run(name, func(t *testing.T) {
			files, err := pdfa.Extract(context.Background(), data, pdfa.Limits{})
			if err != nil || len(files) != 1 {
				t.Fatalf("Extract returned %d files, %v; want 1 file", len(files), err)
			}
			if got := string(files[0].Data); got != invoiceXML {
				t.Errorf("got %d bytes %.40q, want %d bytes", len(got), got, len(invoiceXML))
			}
			if files[0].Name != "invoice.xml" || files[0].Relationship != pdfa.Alternative {
				t.Errorf("got name %q and relationship %q, want invoice.xml and Alternative", files[0].Name, files[0].Relationship)
			}
		})
	}
}

// updated returns a PDF with an incremental update that replaces the file.
func updated() []byte {
	out := withFile(stream("/Type/EmbeddedFile", "<old/>")).bytes()
	before := bytes.LastIndex(out, []byte("xref\n0"))
	at := len(out)
	out = fmt.Appendf(out, "5 0 obj\n%s\nendobj\n", stream("/Type/EmbeddedFile", invoiceXML))
	table := len(out)
	return fmt.Appendf(out, "xref\n5 1\n%010d 00000 n \ntrailer\n<</Size 6/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n", at, before, table)
}

// hybrid returns a PDF with a cross-reference table and a cross-reference stream for
// objects that old readers do not see.
func hybrid() []byte {
	b := plain()
	spec := b.objects[4]
	delete(b.objects, 4)
	out := b.bytes()
	out = out[:bytes.LastIndex(out, []byte("trailer"))]
	table := bytes.LastIndex(out, []byte("xref\n0"))
	head := append([]byte(nil), out[:table]...)
	packed := len(head)
	head = fmt.Appendf(head, "7 0 obj\n%s\nendobj\n", stream("/Type/ObjStm/N 1/First 4", "4 0 "+spec))
	cross := len(head)
	rows := string([]byte{2, 0, 0, 7, 0, 1, byte(packed >> 16), byte(packed >> 8), byte(packed), 0})
	head = fmt.Appendf(head, "8 0 obj\n%s\nendobj\n", stream("/Type/XRef/Size 9/W[1 3 1]/Index[4 1 7 1]", rows))
	start := len(head)
	head = append(head, out[table:]...)
	return fmt.Appendf(head, "trailer\n<</Size 9/Root 1 0 R/XRefStm %d>>\nstartxref\n%d\n%%%%EOF\n", cross, start)
}

func TestExtractFromOwnPDF(t *testing.T) {
	for name, s := range map[string]sheet{"a4": sampleSheet(20), "many pages": sampleSheet(200)} {
		t.Run(name, func(t *testing.T) {
			files, err := pdfa.Extract(context.Background(), s.draw(t, testFonts(t)), pdfa.Limits{})
			if err != nil || len(files) != 1 {
				t.Fatalf("Extract returned %d files, %v; want 1 file", len(files), err)
			}
			f := files[0]
			if !bytes.Equal(f.Data, s.xml) || f.MIME != "text/xml" || f.Relationship != pdfa.Alternative || !strings.HasSuffix(f.Name, "_INV-2026-000123.xml") {
				t.Errorf("got %d bytes, %q %q %q; want %d bytes, \"…_INV-2026-000123.xml\" \"text/xml\" %q", len(f.Data), f.Name, f.MIME, f.Relationship, len(s.xml), pdfa.Alternative)
			}
		})
	}
}

// TestExtractFromOtherProducers checks that files are extracted from PDFs that other
// programs wrote.
func TestExtractFromOtherProducers(t *testing.T) {
	for _, name := range []string{"factur-x.pdf", "mustang.pdf", "pikepdf.pdf", "qpdf.pdf"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			files, err := pdfa.Extract(context.Background(), data, pdfa.Limits{})
			if err != nil || len(files) == 0 {
				t.Fatalf("Extract returned %d files, %v; want at least 1 file", len(files), err)
			}
			if !bytes.Contains(files[0].Data, []byte("Invoice")) {
				t.Errorf("got %.80q, want an invoice", files[0].Data)
			}
		})
	}
}

func TestExtractNames(t *testing.T) {
	cases := map[string]struct{ name, want string }{
		"utf-16":        {"<FEFF0641062706200078>", "فاؠx"},
		"little endian": {"<FFFE4106>", "ف"},
		"utf-8 marked":  {"<EFBBBFD981>", "ف"},
		"utf-8":         {"<D981D8A7>", "فا"},
		"latin":         {"(caf\\351)", "café"},
		"a path":        {"(../../etc/passwd)", "../../etc/passwd"},
		"controls":      {"(a\\000b\\033c\\n)", "abc"},
		"overrides":     {"<FEFF0061202E0062>", "ab"},
		"escapes": {`(\(a\)\\\n\
b)`, `(a)\ b`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			data := plain().with(4, "<</Type/Filespec/UF"+c.name+"/EF<</F 5 0 R>>>>").bytes()
			files, err := pdfa.Extract(context.Background(), data, pdfa.Limits{})
			if err != nil || len(files) != 1 {
				t.Fatalf("Extract returned %d files, %v; want 1 file", len(files), err)
			}
			if files[0].Name != c.want {
				t.Errorf("got %q, want %q", files[0].Name, c.want)
			}
		})
	}
}

func TestExtractStopsIfCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := pdfa.Extract(ctx, plain().with(3, "["+strings.Repeat("1 ", 60_000)+"]").bytes(), pdfa.Limits{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestExtractWithoutFiles(t *testing.T) {
	files, err := pdfa.Extract(context.Background(), plain().with(1, "<</Type/Catalog/Pages 2 0 R>>").bytes(), pdfa.Limits{})
	if err != nil || len(files) != 0 {
		t.Errorf("Extract returned %d files, %v; want no files and no error", len(files), err)
	}
}
