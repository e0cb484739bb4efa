package api_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

func TestInterface_4_3_FormsThatAreAccepted(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	cases := []struct {
		name  string
		parts []servicetest.Part
	}{
		{"only the JSON part", []servicetest.Part{{Field: "client_data", Filename: "", Content: servicetest.GoodClient()}}},
		{"the JSON as a file, as curl sends @client.json", []servicetest.Part{{Field: "client_data", Filename: "client.json", Content: servicetest.GoodClient()}}},
		{"the logo first", []servicetest.Part{{Field: "file", Filename: "logo.png", Content: servicetest.OnePixelPNG()}, {Field: "client_data", Filename: "", Content: servicetest.GoodClient()}}},
		{"unknown parts", []servicetest.Part{{Field: "client_data", Filename: "", Content: servicetest.GoodClient()}, {Field: "file2", Filename: "x.bin", Content: "\x00"}, {Field: "note", Filename: "", Content: "hello"}}},
		{"a file input left empty", []servicetest.Part{{Field: "client_data", Filename: "", Content: servicetest.GoodClient()}, {Field: "file", Filename: "", Content: ""}}},
	}
	for _, c := range cases {
		a := h.Form(servicetest.ClientsPath, c.parts...)
		made := a.Wants(t, http.StatusCreated)
		wantLogo := strings.Contains(c.name, "logo")
		if (made["logo_url"] != nil) != wantLogo {
			t.Errorf("%s: logo_url = %v, want one: %t", c.name, made["logo_url"], wantLogo)
		}
	}
	servicetest.Same(t, "number of clients", h.Read(t, "/api/buyers/")["total"], any(servicetest.Number(len(cases))))
}

func TestInterface_4_3_APartMaySayThatItIsJSON(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	p, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="client_data"`}, "Content-Type": {"application/json; charset=utf-8"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(p, servicetest.GoodClient()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	h.Post(w.FormDataContentType(), body.String()).Wants(t, http.StatusCreated)
}

func TestInterface_4_3_FormsThatAreRefused(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	whole := "--b\r\nContent-Disposition: form-data; name=\"client_data\"\r\n\r\n" + servicetest.GoodClient() + "\r\n--b--\r\n"
	long := strings.Repeat("x", 1<<20)
	cases := []struct {
		name, media, body string
		want              []string
	}{
		{"JSON", "application/json", servicetest.GoodClient(), []string{"The body must be multipart/form-data."}},
		{"a form of another media type", "application/x-www-form-urlencoded", "client_data={}", []string{"The body must be multipart/form-data."}},
		{"no media type", "", whole, []string{"The body must be multipart/form-data."}},
		{"no boundary", "multipart/form-data", whole, []string{"The body must be multipart/form-data."}},
		{"another boundary", "multipart/form-data; boundary=c", whole, []string{"The body is not a complete multipart form."}},
		{"a truncated form", "multipart/form-data; boundary=b", whole[:len(whole)-20], []string{"The body is not a complete multipart form."}},
		{"empty body", "multipart/form-data; boundary=b", "", []string{"The body is not a complete multipart form."}},
		{"no part", "multipart/form-data; boundary=b", "--b--\r\n", []string{"client_data: Field required"}},
		{"another part", "multipart/form-data; boundary=b", strings.Replace(whole, "client_data", "client", 1), []string{"client_data: Field required"}},
		{"an empty part", "multipart/form-data; boundary=b", strings.Replace(whole, servicetest.GoodClient(), "", 1), []string{"client_data: Field required"}},
		{"the part twice", "multipart/form-data; boundary=b", strings.TrimSuffix(whole, "--b--\r\n") + whole, []string{"client_data: must not be given twice"}},
		{"not JSON", "multipart/form-data; boundary=b", strings.Replace(whole, servicetest.GoodClient(), "buyer_name=x", 1), []string{"client_data: Invalid JSON: expected a value at line 1 column 1"}},
		{"an array", "multipart/form-data; boundary=b", strings.Replace(whole, servicetest.GoodClient(), "[]", 1), []string{"client_data: must be an object"}},
		{"null", "multipart/form-data; boundary=b", strings.Replace(whole, servicetest.GoodClient(), "null", 1), []string{"client_data: must be an object"}},
		{"a part of more than a megabyte", "multipart/form-data; boundary=b", strings.Replace(whole, "Al Noor Trading", long, 1), []string{"The part client_data is larger than 1048576 bytes."}},
		{"a body of more than eight megabytes", "multipart/form-data; boundary=b", whole + strings.Repeat(" ", 8<<20), []string{"The body is larger than 8388608 bytes."}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { servicetest.Same(t, "problems", h.Post(c.media, c.body).Problems(t), c.want) })
	}
	servicetest.Same(t, "number of clients", h.Read(t, "/api/buyers/")["total"], any(servicetest.Number(0)))
}
