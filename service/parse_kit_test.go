package service_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/ubl"
)

const parsePath = "/v1-3/api/public/parse-invoice/"

// parse uploads a file.
func (h *house) parse(content string) answer {
	h.t.Helper()
	return h.send(http.MethodPost, parsePath, formBody(h.t, part{"file", "upload", content}))
}

// reads uploads a file that must be read, and gives what it says.
func (h *house) reads(content string) record {
	h.t.Helper()
	return h.parse(content).wants(h.t, http.StatusOK)
}

// warned is the warning of a parse; empty if there is none.
func warned(got record) string {
	text, _ := got["warning"].(string)
	return text
}

// sealedOf stamps facts with a device of the samples.
func sealedOf(t testing.TB, f invoice.Facts) string {
	t.Helper()
	d, err := sample.NewDevice(sample.Seeded(1), time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Seal(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(s.XML)
}

// bareOf is the document of facts without stamp and QR code.
func bareOf(t testing.TB, f invoice.Facts) string {
	t.Helper()
	d, err := invoice.Compute(f)
	if err != nil {
		t.Fatal(err)
	}
	id := invoice.Identity{
		Number: "INV-2026-000001", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-15", IssueTime: "09:15:30",
		Counter: 1, PreviousHash: seal.GenesisHash,
	}
	laid, err := d.UBL(id)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ubl.Write(laid)
	if err != nil {
		t.Fatal(err)
	}
	return string(c.Head) + string(c.Body) + string(c.Tail)
}

// madePDF is a PDF made by hand, so that tests can make it wrong.
type madePDF struct {
	objects map[int]string
	trailer string // further entries
}

// withFile is a PDF that names one embedded file: object 4 its specification,
// object 5 the file itself.
func withFile(body string) *madePDF {
	return &madePDF{objects: map[int]string{
		1: "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(invoice.xml) 4 0 R]>>>>/AF[4 0 R]>>",
		2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>",
		4: "<</Type/Filespec/F(invoice.xml)/UF(invoice.xml)/AFRelationship/Alternative/EF<</F 5 0 R>>>>",
		5: body,
	}}
}

// pdfWith embeds files, with their relationships.
func pdfWith(files ...string) string {
	m := withFile("null")
	var specs, pairs string
	for i, f := range files {
		relation, content, _ := strings.Cut(f, ":")
		spec, body := 100+2*i, 101+2*i
		m.objects[spec] = fmt.Sprintf("<</Type/Filespec/F(file%d.xml)/AFRelationship/%s/EF<</F %d 0 R>>>>", i+1, relation, body)
		m.objects[body] = pdfStream("/Type/EmbeddedFile/Filter/FlateDecode", flated(content))
		specs += fmt.Sprintf("%d 0 R ", spec)
		pairs += fmt.Sprintf("(file%d.xml) %d 0 R ", i+1, spec)
	}
	return m.with(1, "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names["+pairs+"]>>>>/AF["+specs+"]>>").String()
}

// imagePDF is a PDF with nothing but a page.
func imagePDF() string { return withFile("null").with(1, "<</Type/Catalog/Pages 2 0 R>>").String() }

func (m *madePDF) with(number int, body string) *madePDF {
	m.objects[number] = body
	return m
}

func (m *madePDF) withTrailer(entries string) *madePDF {
	m.trailer = entries
	return m
}

func pdfStream(dict, data string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data)
}

// String writes the PDF.
func (m *madePDF) String() string {
	out := []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	places := map[int]int{}
	for _, n := range slices.Sorted(maps.Keys(m.objects)) {
		places[n] = len(out)
		out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", n, m.objects[n])
	}
	size := slices.Max(slices.Collect(maps.Keys(m.objects))) + 1
	at := len(out)
	out = fmt.Appendf(out, "xref\n0 %d\n0000000000 65535 f \n", size)
	for n := 1; n < size; n++ {
		if p, ok := places[n]; ok {
			out = fmt.Appendf(out, "%010d 00000 n \n", p)
		} else {
			out = append(out, "0000000000 65535 f \n"...)
		}
	}
	return string(fmt.Appendf(out, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", size, m.trailer, at))
}

func flated(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write([]byte(s))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.String()
}
