package tools_test

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
	"khatm/service/internal/servicetest"
)

const parseCap = 5_242_880

// tooLargeToParse is the response prescribed by section 7.5 of docs/contract.md.
var tooLargeToParse = servicetest.Refusal{Status: http.StatusBadRequest, Body: `{"detail":"The file is too large: 5242880 bytes maximum."}` + "\n"}

// paddedTo returns XML of the given size that can still be read.
func paddedTo(xml string, size int) string { return xml + strings.Repeat("\n", size-len(xml)) }

func untold(r *http.Request) { r.ContentLength = -1 }

func told(*http.Request) {}

func TestInterface_7_5_ParseInvoiceUploadCap(t *testing.T) {
	h := openTools(t)
	xml := servicetest.SealedOf(t, sample.Simplified())
	for name, length := range map[string]func(*http.Request){"length known": told, "length unknown": untold} {
		t.Run(name, func(t *testing.T) {
			send := func(parts ...servicetest.Part) servicetest.Answer {
				return h.Send(http.MethodPost, servicetest.ParsePath, servicetest.FormBody(t, parts...), length)
			}
			got := send(servicetest.Part{Field: "file", Filename: "a.xml", Content: paddedTo(xml, parseCap)}).Wants(t, http.StatusOK)
			if got["invoice"] == nil {
				t.Errorf("file of the maximum size: response %v, want an invoice", got)
			}
			for _, size := range []int{parseCap + 1, parseCap + 100<<10, 6 << 20, 20 << 20} {
				tooLargeToParse.Wants(t, fmt.Sprint(size), send(servicetest.Part{Field: "file", Filename: "a.xml", Content: paddedTo(xml, size)}))
			}
			// The limit is that of the file; the form may be larger.
			long := servicetest.Part{Field: "file", Filename: strings.Repeat("n", 4000) + ".xml", Content: paddedTo(xml, parseCap)}
			send(long).Wants(t, http.StatusOK)
		})
	}
}

func TestInterface_7_5_ParseInvoiceRefusals(t *testing.T) {
	h := openTools(t)
	xml := servicetest.SealedOf(t, sample.Simplified())
	form := func(parts ...servicetest.Part) servicetest.Answer {
		return h.Send(http.MethodPost, servicetest.ParsePath, servicetest.FormBody(t, parts...))
	}
	list := func(problems string) string { return `{"message":[` + problems + `]}` }
	for name, c := range map[string]struct {
		got  servicetest.Answer
		want string
	}{
		"no part":              {form(servicetest.Part{Field: "x", Filename: "", Content: ""}), list(`"x: unknown field","file: Field required"`)},
		"a file left empty":    {form(servicetest.Part{Field: "file", Filename: "", Content: ""}), list(`"file: Field required"`)},
		"an unknown part":      {form(servicetest.Part{Field: "file", Filename: "a", Content: xml}, servicetest.Part{Field: "colour", Filename: "", Content: "red"}), list(`"colour: unknown field"`)},
		"an unknown file":      {form(servicetest.Part{Field: "file", Filename: "a", Content: xml}, servicetest.Part{Field: "other", Filename: "b", Content: "red"}), list(`"other: unknown field"`)},
		"two files":            {form(servicetest.Part{Field: "file", Filename: "a", Content: xml}, servicetest.Part{Field: "file", Filename: "b", Content: xml}), list(`"file: must not be given twice"`)},
		"JSON":                 {h.Send(http.MethodPost, servicetest.ParsePath, servicetest.JSONBody(`{"file":"x"}`)), `{"message":"The body must be multipart/form-data."}`},
		"nothing":              {h.Send(http.MethodPost, servicetest.ParsePath), `{"message":"The body must be multipart/form-data."}`},
		"an empty file":        {h.Parse(""), `{"detail":"The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML."}`},
		"a picture":            {h.Parse(servicetest.OnePixelPNG()), `{"detail":"The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML."}`},
		"JSON in a file":       {h.Parse(`{"a":1}`), `{"detail":"The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML."}`},
		"HTML":                 {h.Parse("<html></html>"), `{"detail":"The XML is not a UBL invoice, because its root element is not Invoice. Upload the invoice as UBL 2.1."}`},
		"broken XML":           {h.Parse("<Invoice>\n<a></b>"), `{"detail":"The XML cannot be read: line 2, /{}Invoice/{}a: end tag does not match the start tag a. Upload the file as it was issued."}`},
		"document type":        {h.Parse("<!DOCTYPE a><a/>"), `{"detail":"The XML cannot be read: line 1: document type declarations are not accepted. Upload the file as it was issued."}`},
		"document type in PDF": {h.Parse(servicetest.PDFWith("Data:<!DOCTYPE a><a/>")), `{"detail":"The XML “file1.xml” that is embedded in the PDF cannot be read: line 1: document type declarations are not accepted. Upload the file as it was issued."}`},
		"broken PDF":           {h.Parse("%PDF-1.7\n"), `{"detail":"The PDF is damaged and cannot be read. Upload the file as it was issued, or the XML of the invoice."}`},
		"encrypted PDF":        {h.Parse(withTrailer(servicetest.WithFile("null"), "/Encrypt<</Filter/Standard>>").String()), `{"detail":"The PDF is encrypted. Upload it without protection, or upload the XML."}`},
		"too much XML":         {h.Parse("<a>" + strings.Repeat("<a/>", 100_000) + "</a>"), `{"detail":"The XML cannot be read: it has more than 100000 elements and attributes. Upload the file as it was issued."}`},
		"too much PDF":         {h.Parse(servicetest.PDFWith(strings.Split(strings.Repeat("Data:x|", 40), "|")[:40]...)), `{"detail":"The PDF is too complex to read. Upload the XML of the invoice instead."}`},
	} {
		servicetest.Refusal{Status: http.StatusBadRequest, Body: c.want + "\n"}.Wants(t, name, c.got)
	}
}

func TestX3_ParseInvoiceForms(t *testing.T) {
	h := openTools(t)
	xml := servicetest.SealedOf(t, sample.Simplified())
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	raw := func(contentType, body string) servicetest.Answer {
		return h.Send(http.MethodPost, servicetest.ParsePath, func(r *http.Request) {
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
	fine := func(a servicetest.Answer) bool {
		return a.Status == http.StatusOK && strings.Contains(a.Body, `"warning":null`)
	}
	says := func(text string) func(servicetest.Answer) bool {
		return func(a servicetest.Answer) bool {
			return a.Status == http.StatusBadRequest && servicetest.Plain(a.Body) == text+"\n"
		}
	}
	broken := says(`{"message":"The body is not a complete multipart form."}`)
	neither := says(`{"detail":"The file is neither a PDF nor XML. Upload an invoice as PDF, PDF/A-3 or UBL XML."}`)
	cases := []struct {
		name string
		got  servicetest.Answer
		want func(servicetest.Answer) bool
	}{
		{"a plain form", raw(media, piece(file, "", xml)+"--b--"), fine},
		{"a thousand parts", raw(media, strings.Repeat(piece(`name="x"`, "", "x"), 1000)+"--b--"), says(`{"message":"The form has more than 64 parts."}`)},
		{"a thousand files", raw(media, strings.Repeat(piece(file, "", xml), 300)+"--b--"), says(`{"message":"The form has more than 64 parts."}`)},
		{"a form in the form", raw(media, nested), neither},
		{"a form in another part", raw(media, strings.Replace(nested, `name="file"`, `name="mixed"`, 1)), says(`{"message":["mixed: unknown field","file: Field required"]}`)},
		{"a file name with ..", raw(media, piece(`name="file"; filename="../../../../etc/passwd"`, "", xml)+"--b--"), fine},
		{"an escaped file name with ..", raw(media, piece(`name="file"; filename*=UTF-8''..%2f..%2fetc%2fpasswd`, "", xml)+"--b--"), fine},
		{"a name with a NUL", raw(media, piece("name=\"file\"; filename=\"a\x00.xml\"", "", xml)+"--b--"), func(a servicetest.Answer) bool { return a.Status == 400 || a.Status == 200 }},
		{"a name of 100,000 letters", raw(media, piece(`name="file"; filename="`+strings.Repeat("a", 100_000)+`"`, "", xml)+"--b--"), says(`{"message":"The header of a part is larger than 8192 bytes."}`)},
		{"a part with a wrong Content-Length", raw(media, piece(file, "Content-Length: 999999999999\r\n", xml)+"--b--"), fine},
		{"a part with a transfer encoding", raw(media, piece(file, "Content-Transfer-Encoding: base64\r\n", "PGE+")+"--b--"), neither},
		{"quoted-printable", raw(media, piece(file, "Content-Transfer-Encoding: quoted-printable\r\n", "=3Ca/>")+"--b--"), says(`{"detail":"The XML is not a UBL invoice, because its root element is not Invoice. Upload the invoice as UBL 2.1."}`)},
		{"no end", raw(media, piece(file, "", xml)), broken},
		{"without the boundary", raw(media, xml), broken},
		{"no parts", raw(media, "--b--"), says(`{"message":["file: Field required"]}`)},
		{"a boundary of 71 letters", raw("multipart/form-data; boundary="+strings.Repeat("b", 71), "x"), broken},
		{"mixed", raw("multipart/mixed; boundary=b", piece(file, "", xml)+"--b--"), says(`{"message":"The body must be multipart/form-data."}`)},
		{"10,000 headers", raw(media, piece(file, strings.Repeat("X-A: b\r\n", 10_000), xml)+"--b--"), func(a servicetest.Answer) bool { return a.Status == 400 }},
	}
	for _, c := range cases {
		if !c.want(c.got) {
			t.Errorf("%s: status %d, body %.300s", c.name, c.got.Status, c.got.Body)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("temporary files were not removed: %v, %v", left, err)
	}
}

// A wrong Content-Length is not trusted and does not cause allocations.
func TestX3_ParseInvoiceLengthsThatLie(t *testing.T) {
	r := servicetest.Run(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 })
	xml := servicetest.SealedOf(t, sample.Simplified())
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.xml\"\r\n\r\n" + xml + "\r\n--b--\r\n"
	head := "POST " + servicetest.ParsePath + " HTTP/1.1\nHost: khatm\nConnection: close\nContent-Type: multipart/form-data; boundary=b\n"
	chunk := func(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }
	large := strings.Replace(body, "\r\n--b--", strings.Repeat(" ", 8<<20)+"\r\n--b--", 1)
	cases := []struct {
		name, request string
		status        int
		says          string
	}{
		{"true", head + fmt.Sprintf("Content-Length: %d\n\n", len(body)) + body, 200, `"qr_found":true`},
		{"shorter than the form", head + fmt.Sprintf("Content-Length: %d\n\n", len(body)-50) + body, 400, "not a complete multipart form"},
		{"none", head + "Content-Length: 0\n\n", 400, "not a complete multipart form"},
		{"far too large", head + "Content-Length: 9223372036854775807\n\n" + body, 400, "5242880 bytes maximum"},
		{"negative", head + "Content-Length: -1\n\n", 400, ""},
		{"two different lengths", head + "Content-Length: 5\nContent-Length: 6\n\n", 400, ""},
		{"in chunks", head + "Transfer-Encoding: chunked\n\n" + chunk(body) + "0\r\n\r\n", 200, `"qr_found":true`},
		{"in chunks, too large", head + "Transfer-Encoding: chunked\n\n" + chunk(large) + "0\r\n\r\n", 400, "5242880 bytes maximum"},
		{"a wrong chunk size", head + "Transfer-Encoding: chunked\n\nfffffffffffffffff\r\n" + body, 400, ""},
		{"small, followed by more data", head + "Content-Length: 100\n\n" + large, 400, "not a complete multipart form"},
	}
	var before, after runtime.MemStats
	for _, c := range cases {
		runtime.ReadMemStats(&before)
		heard := r.Say(c.request)
		runtime.ReadMemStats(&after)
		if len(heard) == 0 || heard[0].Status != c.status || !strings.Contains(heard[0].Body, c.says) {
			t.Errorf("%s: responses %.400v; want status %d with %q", c.name, heard, c.status, c.says)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 48<<20 {
			t.Errorf("%s: allocated %d MiB, want at most 48 MiB", c.name, took>>20)
		}
	}
}
