package service_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"

	"khatm/sample"
	"khatm/service/internal/server"
)

const parseCap = 5_242_880

// tooLargeToParse is the answer of interface 7.5.
var tooLargeToParse = refusal{http.StatusBadRequest, `{"detail":"The file is too large: 5242880 bytes maximum."}` + "\n"}

// paddedTo makes XML of a size that is read all the same.
func paddedTo(xml string, size int) string { return xml + strings.Repeat("\n", size-len(xml)) }

func untold(r *http.Request) { r.ContentLength = -1 }

func told(*http.Request) {}

func TestInterface_7_5_ParseInvoiceUploadCap(t *testing.T) {
	h := openTools(t)
	xml := sealedOf(t, sample.Simplified())
	for name, length := range map[string]func(*http.Request){"length told": told, "length not told": untold} {
		t.Run(name, func(t *testing.T) {
			send := func(parts ...part) answer { return h.send(http.MethodPost, parsePath, formBody(t, parts...), length) }
			got := send(part{"file", "a.xml", paddedTo(xml, parseCap)}).wants(t, http.StatusOK)
			if got["invoice"] == nil {
				t.Errorf("at the cap: got %v", got)
			}
			for _, size := range []int{parseCap + 1, parseCap + 100<<10, 6 << 20, 20 << 20} {
				tooLargeToParse.wants(t, fmt.Sprint(size), send(part{"file", "a.xml", paddedTo(xml, size)}))
			}
			// The cap is that of the file: the form around it may be larger.
			long := part{"file", strings.Repeat("n", 4000) + ".xml", paddedTo(xml, parseCap)}
			send(long).wants(t, http.StatusOK)
		})
	}
}

func TestInterface_7_5_ParseInvoiceRefusals(t *testing.T) {
	h := openTools(t)
	xml := sealedOf(t, sample.Simplified())
	form := func(parts ...part) answer { return h.send(http.MethodPost, parsePath, formBody(t, parts...)) }
	list := func(problems string) string { return `{"message":[` + problems + `]}` }
	for name, c := range map[string]struct {
		got  answer
		want string
	}{
		"no part":              {form(part{"x", "", ""}), list(`"x: Extra inputs are not permitted","file: Field required"`)},
		"a file left empty":    {form(part{"file", "", ""}), list(`"file: Field required"`)},
		"an unknown part":      {form(part{"file", "a", xml}, part{"colour", "", "red"}), list(`"colour: Extra inputs are not permitted"`)},
		"an unknown file":      {form(part{"file", "a", xml}, part{"other", "b", "red"}), list(`"other: Extra inputs are not permitted"`)},
		"two files":            {form(part{"file", "a", xml}, part{"file", "b", xml}), list(`"file: Key given twice"`)},
		"JSON":                 {h.send(http.MethodPost, parsePath, jsonBody(`{"file":"x"}`)), `{"message":"The body must be multipart/form-data"}`},
		"nothing":              {h.send(http.MethodPost, parsePath), `{"message":"The body must be multipart/form-data"}`},
		"an empty file":        {h.parse(""), `{"detail":"The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML."}`},
		"a picture":            {h.parse(dot()), `{"detail":"The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML."}`},
		"JSON in a file":       {h.parse(`{"a":1}`), `{"detail":"The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML."}`},
		"HTML":                 {h.parse("<html></html>"), `{"detail":"The XML is no UBL invoice: its root element is not Invoice. Upload the invoice itself, as UBL 2.1."}`},
		"broken XML":           {h.parse("<Invoice>\n<a></b>"), `{"detail":"The XML cannot be read: line 2, /{}Invoice/{}a: end tag does not match the start tag a. Upload the file as it was issued."}`},
		"document type":        {h.parse("<!DOCTYPE a><a/>"), `{"detail":"The XML cannot be read: line 1: document type declarations are not accepted. Upload the file as it was issued."}`},
		"document type in PDF": {h.parse(pdfWith("Data:<!DOCTYPE a><a/>")), `{"detail":"The XML “file1.xml” that is embedded in the PDF cannot be read: line 1: document type declarations are not accepted. Upload the file as it was issued."}`},
		"broken PDF":           {h.parse("%PDF-1.7\n"), `{"detail":"The PDF is damaged and cannot be read. Upload the file as it was issued, or the XML of the invoice."}`},
		"encrypted PDF":        {h.parse(withFile("null").withTrailer("/Encrypt<</Filter/Standard>>").String()), `{"detail":"The PDF is encrypted. Upload it without protection, or upload the XML."}`},
		"too much XML":         {h.parse("<a>" + strings.Repeat("<a/>", 100_000) + "</a>"), `{"detail":"The XML cannot be read: it has more than 100000 elements and attributes. Upload the file as it was issued."}`},
		"too much PDF":         {h.parse(pdfWith(strings.Split(strings.Repeat("Data:x|", 40), "|")[:40]...)), `{"detail":"The PDF holds more than is read here. Upload the XML of the invoice instead."}`},
	} {
		refusal{http.StatusBadRequest, c.want + "\n"}.wants(t, name, c.got)
	}
}

func TestX3_ParseInvoiceForms(t *testing.T) {
	h := openTools(t)
	xml := sealedOf(t, sample.Simplified())
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	raw := func(contentType, body string) answer {
		return h.send(http.MethodPost, parsePath, func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
			r.Header.Set("Content-Type", contentType)
		})
	}
	const media = "multipart/form-data; boundary=b"
	piece := func(disposition, more, content string) string {
		return "--b\r\nContent-Disposition: form-data; " + disposition + "\r\n" + more + "\r\n" + content + "\r\n"
	}
	const file = `name="file"; filename="a.xml"`
	nested := piece(`name="file"`, "Content-Type: multipart/mixed; boundary=c\r\n", "--c\r\nContent-Disposition: file; filename=\"a.xml\"\r\n\r\n"+xml+"\r\n--c--") + "--b--"
	fine := func(a answer) bool { return a.status == http.StatusOK && strings.Contains(a.body, `"warning":null`) }
	says := func(text string) func(answer) bool {
		return func(a answer) bool { return a.status == http.StatusBadRequest && a.body == text+"\n" }
	}
	broken := says(`{"message":"The body is no whole multipart form"}`)
	neither := says(`{"detail":"The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML."}`)
	cases := []struct {
		name string
		got  answer
		want func(answer) bool
	}{
		{"a plain form", raw(media, piece(file, "", xml)+"--b--"), fine},
		{"a thousand parts", raw(media, strings.Repeat(piece(`name="x"`, "", "x"), 1000)+"--b--"), says(`{"message":"The form has more than 64 parts"}`)},
		{"a thousand files", raw(media, strings.Repeat(piece(file, "", xml), 300)+"--b--"), says(`{"message":"The form has more than 64 parts"}`)},
		{"a form in the form", raw(media, nested), neither},
		{"a form in another part", raw(media, strings.Replace(nested, `name="file"`, `name="mixed"`, 1)), says(`{"message":["mixed: Extra inputs are not permitted","file: Field required"]}`)},
		{"a name that climbs", raw(media, piece(`name="file"; filename="../../../../etc/passwd"`, "", xml)+"--b--"), fine},
		{"a name that climbs, escaped", raw(media, piece(`name="file"; filename*=UTF-8''..%2f..%2fetc%2fpasswd`, "", xml)+"--b--"), fine},
		{"a name with a NUL", raw(media, piece("name=\"file\"; filename=\"a\x00.xml\"", "", xml)+"--b--"), func(a answer) bool { return a.status == 400 || a.status == 200 }},
		{"a name of 100,000 letters", raw(media, piece(`name="file"; filename="`+strings.Repeat("a", 100_000)+`"`, "", xml)+"--b--"), says(`{"message":"The header of a part is larger than 8192 bytes"}`)},
		{"a length of its own that lies", raw(media, piece(file, "Content-Length: 999999999999\r\n", xml)+"--b--"), fine},
		{"an encoding of its own", raw(media, piece(file, "Content-Transfer-Encoding: base64\r\n", "PGE+")+"--b--"), neither},
		{"quoted-printable", raw(media, piece(file, "Content-Transfer-Encoding: quoted-printable\r\n", "=3Ca/>")+"--b--"), says(`{"detail":"The XML is no UBL invoice: its root element is not Invoice. Upload the invoice itself, as UBL 2.1."}`)},
		{"no end", raw(media, piece(file, "", xml)), broken},
		{"no boundary of it", raw(media, xml), broken},
		{"nothing in it", raw(media, "--b--"), says(`{"message":["file: Field required"]}`)},
		{"a boundary of 71 letters", raw("multipart/form-data; boundary="+strings.Repeat("b", 71), "x"), broken},
		{"mixed", raw("multipart/mixed; boundary=b", piece(file, "", xml)+"--b--"), says(`{"message":"The body must be multipart/form-data"}`)},
		{"10,000 headers", raw(media, piece(file, strings.Repeat("X-A: b\r\n", 10_000), xml)+"--b--"), func(a answer) bool { return a.status == 400 }},
	}
	for _, c := range cases {
		if !c.want(c.got) {
			t.Errorf("%s: got %d %.300s", c.name, c.got.status, c.got.body)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A length that lies is neither believed nor does it take memory.
func TestX3_ParseInvoiceLengthsThatLie(t *testing.T) {
	r := runs(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 })
	xml := sealedOf(t, sample.Simplified())
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.xml\"\r\n\r\n" + xml + "\r\n--b--\r\n"
	head := "POST " + parsePath + " HTTP/1.1\nHost: khatm\nConnection: close\nContent-Type: multipart/form-data; boundary=b\n"
	chunk := func(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }
	large := strings.Replace(body, "\r\n--b--", strings.Repeat(" ", 8<<20)+"\r\n--b--", 1)
	cases := []struct {
		name, request string
		status        int
		says          string
	}{
		{"true", head + fmt.Sprintf("Content-Length: %d\n\n", len(body)) + body, 200, `"qr_found":true`},
		{"shorter than the form", head + fmt.Sprintf("Content-Length: %d\n\n", len(body)-50) + body, 400, "no whole multipart form"},
		{"none", head + "Content-Length: 0\n\n", 400, "no whole multipart form"},
		{"beyond all", head + "Content-Length: 9223372036854775807\n\n" + body, 400, "5242880 bytes maximum"},
		{"below zero", head + "Content-Length: -1\n\n", 400, ""},
		{"two that differ", head + "Content-Length: 5\nContent-Length: 6\n\n", 400, ""},
		{"in chunks", head + "Transfer-Encoding: chunked\n\n" + chunk(body) + "0\r\n\r\n", 200, `"qr_found":true`},
		{"in chunks, too large", head + "Transfer-Encoding: chunked\n\n" + chunk(large) + "0\r\n\r\n", 400, "5242880 bytes maximum"},
		{"a chunk that lies", head + "Transfer-Encoding: chunked\n\nfffffffffffffffff\r\n" + body, 400, ""},
		{"small, and large behind it", head + "Content-Length: 100\n\n" + large, 400, "no whole multipart form"},
	}
	var before, after runtime.MemStats
	for _, c := range cases {
		runtime.ReadMemStats(&before)
		heard := r.say(c.request)
		runtime.ReadMemStats(&after)
		if len(heard) == 0 || heard[0].status != c.status || !strings.Contains(heard[0].body, c.says) {
			t.Errorf("%s: got %.400v", c.name, heard)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 48<<20 {
			t.Errorf("%s: took %d MiB", c.name, took>>20)
		}
	}
}
