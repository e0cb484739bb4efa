package servicetest

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
)

// ParsePath is the endpoint that parses files.
const ParsePath = "/v1-3/api/public/parse-invoice/"

// Parse uploads a file and returns the response.
func (h *Instance) Parse(content string) Answer {
	h.TB.Helper()
	return h.Send(http.MethodPost, ParsePath, FormBody(h.TB, Part{"file", "upload", content}))
}

// Reads uploads a file and returns the parsed result, which must be a success.
func (h *Instance) Reads(content string) Record {
	h.TB.Helper()
	return h.Parse(content).Wants(h.TB, http.StatusOK)
}

// SealedOf returns the XML of facts, stamped by a sample device.
func SealedOf(t testing.TB, f invoice.Facts) string {
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

// PDFObjects is a handwritten PDF, which tests can make invalid.
type PDFObjects struct {
	Objects map[int]string
	Trailer string // more trailer entries
}

// WithFile returns a PDF with one embedded file: object 4 is its specification,
// object 5 the file itself.
func WithFile(body string) *PDFObjects {
	return &PDFObjects{Objects: map[int]string{
		1: "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(invoice.xml) 4 0 R]>>>>/AF[4 0 R]>>",
		2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>",
		4: "<</Type/Filespec/F(invoice.xml)/UF(invoice.xml)/AFRelationship/Alternative/EF<</F 5 0 R>>>>",
		5: body,
	}}
}

// PDFWith returns a PDF with embedded files, each given as
// "relationship:content".
func PDFWith(files ...string) string {
	m := WithFile("null")
	var specs, pairs string
	for i, f := range files {
		relation, content, _ := strings.Cut(f, ":")
		spec, body := 100+2*i, 101+2*i
		m.Objects[spec] = fmt.Sprintf("<</Type/Filespec/F(file%d.xml)/AFRelationship/%s/EF<</F %d 0 R>>>>", i+1, relation, body)
		m.Objects[body] = PDFStream("/Type/EmbeddedFile/Filter/FlateDecode", Flated(content))
		specs += fmt.Sprintf("%d 0 R ", spec)
		pairs += fmt.Sprintf("(file%d.xml) %d 0 R ", i+1, spec)
	}
	return m.With(1, "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names["+pairs+"]>>>>/AF["+specs+"]>>").String()
}

// With replaces an object.
func (m *PDFObjects) With(number int, body string) *PDFObjects {
	m.Objects[number] = body
	return m
}

// PDFStream returns a stream object.
func PDFStream(dict, data string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data)
}

// String returns the PDF file.
func (m *PDFObjects) String() string {
	out := []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	places := map[int]int{}
	for _, n := range slices.Sorted(maps.Keys(m.Objects)) {
		places[n] = len(out)
		out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", n, m.Objects[n])
	}
	size := slices.Max(slices.Collect(maps.Keys(m.Objects))) + 1
	at := len(out)
	out = fmt.Appendf(out, "xref\n0 %d\n0000000000 65535 f \n", size)
	for n := 1; n < size; n++ {
		if p, ok := places[n]; ok {
			out = fmt.Appendf(out, "%010d 00000 n \n", p)
		} else {
			out = append(out, "0000000000 65535 f \n"...)
		}
	}
	return string(fmt.Appendf(out, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", size, m.Trailer, at))
}

// Flated returns a string compressed with zlib.
func Flated(s string) string {
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
