package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
)

// piece is a part of a form; with a filename it is a file.
type piece struct{ name, filename, content string }

func form(t testing.TB, pieces ...piece) (media, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range pieces {
		disposition := fmt.Sprintf(`form-data; name=%q`, p.name)
		if p.filename != "" {
			disposition += fmt.Sprintf(`; filename="%s"`, p.filename)
		}
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(p.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.String()
}

var teaData = piece{"tea_data", "", `{"kind":"S","weight":"1.5","origin":"YE"}`}

func TestForm(t *testing.T) {
	t.Parallel()
	many := []piece{teaData}
	for range 64 {
		many = append(many, piece{"x", "x.png", "x"})
	}
	cases := []struct {
		name   string
		pieces []piece
		want   string // files of a 200 or problems of a 400
	}{
		{"JSON alone", []piece{teaData}, `"files":[]`},
		{"JSON sent as a file", []piece{{"tea_data", "blob", teaData.content}}, `"files":[]`},
		{"with a file", []piece{teaData, {"file", "logo.png", "12345"}}, `"files":["file=logo.png:5"]`},
		{"the file first", []piece{{"file", "logo.png", "12345"}, teaData}, `"files":["file=logo.png:5"]`},
		{"with other files", []piece{teaData, {"front", "a.png", "1"}, {"back", "b.png", "22"}, {"back", "c.png", ""}}, `"files":["front=a.png:1","back=b.png:2","back=c.png:0"]`},
		{"a file input left empty", []piece{teaData, {"file", "", ""}}, `"files":[]`},
		{"a name with folders", []piece{teaData, {"file", `C:\\secret\\شعار.png`, "1"}}, `"files":["file=شعار.png:1"]`},
		{"a file name with ..", []piece{teaData, {"file", `../../etc/passwd`, "1"}}, `"files":["file=passwd:1"]`},
		{"a file name of dots only", []piece{teaData, {"a", `..`, "1"}}, `"files":["a=:1"]`},
		{"an unknown part", []piece{teaData, {"colour", "", "red"}}, `"files":[]`},
		{"JSON part missing", []piece{{"file", "logo.png", "1"}}, "tea_data: Field required"},
		{"JSON twice", []piece{teaData, teaData}, "tea_data: must not be given twice"},
		{"a file twice", []piece{teaData, {"file", "a.png", "1"}, {"file", "b.png", "1"}}, "file: must not be given twice"},
		{"invalid JSON", []piece{{"tea_data", "", "{"}}, "tea_data: Invalid JSON: unexpected end, expected a name in double quotes at line 1 column 2"},
		{"problems", []piece{{"tea_data", "", `{"kind":"Q"}`}}, "tea_data.kind: must be 'S', 'Z', 'E' or 'O'; tea_data.weight: Field required"},
		{"file too large", []piece{teaData, {"file", "a.png", strings.Repeat("x", 2049)}}, "The file is larger than 2048 bytes."},
		{"file of the maximum size", []piece{teaData, {"file", "a.png", strings.Repeat("x", 2048)}}, `"files":["file=a.png:2048"]`},
		{"form too large", []piece{teaData, {"a", "a.png", strings.Repeat("x", 16384)}}, "The body is larger than 16384 bytes."},
		{"too many parts", many, "The form has more than 64 parts."},
		{"part header too large", []piece{teaData, {"a", strings.Repeat("x", 8<<10), ""}}, "The header of a part is larger than 8192 bytes."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			media, body := form(t, c.pieces...)
			status, _, got := ask(t, "POST", "/api/pictures/", media, body)
			if strings.HasPrefix(c.want, `"files"`) {
				if status != http.StatusOK || !strings.Contains(got, c.want) {
					t.Errorf("got %d %s, want %s", status, got, c.want)
				}
				return
			}
			if got := strings.Join(messages(t, status, got), "; "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestBodiesThatAreNotForms(t *testing.T) {
	t.Parallel()
	media, body := form(t, teaData, piece{"a", "a.png", "xxx"})
	cases := []struct{ name, media, body, want string }{
		{"JSON", "application/json", "{}", "The body must be multipart/form-data."},
		{"no media type", "", body, "The body must be multipart/form-data."},
		{"no boundary", "multipart/form-data", body, "The body must be multipart/form-data."},
		{"another boundary", "multipart/form-data; boundary=x", body, "The body is not a complete multipart form."},
		{"truncated in a part", media, body[:len(body)-70], "The body is not a complete multipart form."},
		{"final boundary missing", media, body[:len(body)-8], "The body is not a complete multipart form."},
		{"empty", media, "", "The body is not a complete multipart form."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, _, got := ask(t, "POST", "/api/pictures/", c.media, c.body)
			if got := messages(t, status, got); got[0] != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzForm(f *testing.F) {
	_, body := form(f, teaData, piece{"file", "a.png", "xxx"})
	boundary := strings.SplitN(body, "\r\n", 2)[0]
	f.Add(strings.ReplaceAll(body, boundary, "--x"))
	f.Add("--x\r\nContent-Disposition: form-data; name=\"tea_data\"\r\n\r\n{}\r\n--x--")
	f.Add("--x\r\n\r\n--x--\r\n")
	f.Add("--x\r\nContent-Disposition: form-data; name=\"file\"; filename*=utf-8''%2e%2e\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=zz\r\n--x--")
	surface := open(shop())
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest("POST", "/api/pictures/", strings.NewReader(body))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		w := httptest.NewRecorder()
		surface.ServeHTTP(w, r)
		if w.Code != http.StatusOK && w.Code != http.StatusBadRequest || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("form %q: status %d, body %s; want 200 or 400", body, w.Code, w.Body)
		}
	})
}
