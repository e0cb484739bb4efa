package wire_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const teaID = "9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0f"

// ask sends a request to the test surface.
func ask(t *testing.T, method, target, media, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	open(shop()).ServeHTTP(w, r)
	return w.Code, w.Header(), w.Body.String()
}

// messages returns the problems of a 400, or a list with its only message.
func messages(t *testing.T, status int, body string) []string {
	t.Helper()
	if status != http.StatusBadRequest {
		t.Fatalf("got %d %s, want 400", status, body)
	}
	var many struct{ Message []string }
	if json.Unmarshal([]byte(body), &many) == nil {
		return many.Message
	}
	var one struct{ Message string }
	if err := json.Unmarshal([]byte(body), &one); err != nil {
		t.Fatal(err)
	}
	return []string{one.Message}
}

const goodTea = `{"name":"Mint tea","code":388,"price":"4.50","picked":"2026-01-31","leaves":[{"kind":"S","weight":1}]}`

func TestQuery(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, query, want string }{
		{"none", "", ""},
		{"all", "?page=2&page_size=100&search_text=%D8%B4%D8%A7%D9%8A&status=fresh,old&uuid=" + teaID + "&date_from=2026-01-31&after=2026-01-31T10:00:00Z&above=1.5&hot=true", ""},
		{"unknown parameters are ignored", "?colour=red&page=1", ""},
		{"the first of two is used", "?page=1&page=x", ""},
		{"a list as repeated parameters", "?status=fresh&status=old", ""},
		{"an unescaped plus sign", "?after=2026-01-31T10:00:00+03:00", ""},
		{"not an integer", "?page=x", "page: must be an integer"},
		{"empty", "?page=", "page: must be an integer"},
		{"a number with a sign", "?page=%2B1", "page: must be an integer"},
		{"below the minimum", "?page=0", "page: must be at least 1"},
		{"above the maximum", "?page_size=101", "page_size: must be at most 100"},
		{"wrong element of a list", "?status=fresh,stale", "status.1: must be 'fresh' or 'old'"},
		{"too many items", "?status=fresh,old,old", "status: must have at most 2 items"},
		{"an empty list", "?status=", ""},
		{"date", "?date_from=2026-02-30", "date_from: must be a date in the form YYYY-MM-DD"},
		{"time", "?after=2026-01-31", "after: must be a time in the form 2006-01-02T15:04:05+03:00"},
		{"decimal", "?above=1e3", "above: must be a decimal number"},
		{"places", "?above=1.555", "above: must have at most 2 decimal places"},
		{"boolean", "?hot=1", "hot: must be true or false"},
		{"not UTF-8", "?search_text=%ff", "search_text: must be valid UTF-8"},
		{"NUL", "?search_text=a%00", "search_text: must not contain the character U+0000"},
		{"characters", "?search_text=" + strings.Repeat("%D8%B4", 41), "search_text: must have at most 40 characters"},
		{"escape", "?search_text=%zz", "query: must be a valid query string"},
		{"two problems", "?page=0&hot=2", "page: must be at least 1; hot: must be true or false"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, _, body := ask(t, "GET", "/api/teas/"+c.query, "", "")
			if c.want == "" {
				if status != http.StatusOK {
					t.Errorf("status %d, body %s; want 200", status, body)
				}
				return
			}
			if got := strings.Join(messages(t, status, body), "; "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	status, _, body := ask(t, "GET", "/api/teas/not-an-id/", "", "")
	if diff := cmp.Diff([]string{"tea_id: must be a UUID"}, messages(t, status, body)); diff != "" {
		t.Error(diff)
	}
	for _, id := range []string{strings.ToUpper(teaID), strings.Replace(teaID, "9", "%39", 1), strings.Replace(teaID, "-", "%2D", 1)} {
		if status, _, body := ask(t, "GET", "/api/teas/"+id+"/", "", ""); status != 200 || !strings.Contains(body, `"uuid":"`+teaID+`"`) {
			t.Errorf("tea %s: status %d, body %s; want 200 with the UUID %s", id, status, body, teaID)
		}
	}
}

func TestBody(t *testing.T) {
	t.Parallel()
	long := strings.Replace(goodTea, "Mint tea", strings.Repeat("x", 9000), 1)
	cases := []struct{ name, media, body, want string }{
		{"good", "application/json", goodTea, ""},
		{"with a charset", "application/json; charset=UTF-8", goodTea, ""},
		{"without a media type", "", goodTea, ""},
		{"unknown field", "application/json", strings.Replace(goodTea, "{", `{"colour":1,`, 1), "tea_schema.colour: unknown field"},
		{"unknown field inside", "application/json", strings.Replace(goodTea, `{"kind"`, `{"colour":1,"kind"`, 1), "tea_schema.leaves.0.colour: unknown field"},
		{"empty", "application/json", "", "tea_schema: Field required"},
		{"empty, with another media type", "text/plain", "", "tea_schema: Field required"},
		{"not JSON", "application/json", "{", "tea_schema: Invalid JSON: unexpected end, expected a name in double quotes at line 1 column 2"},
		{"another media type", "text/plain", goodTea, "The body must be application/json in UTF-8."},
		{"a form", "application/x-www-form-urlencoded", "a=b", "The body must be application/json in UTF-8."},
		{"another charset", "application/json; charset=windows-1256", goodTea, "The body must be application/json in UTF-8."},
		{"invalid media type", ";;", goodTea, "The body must be application/json in UTF-8."},
		{"too large", "application/json", long, "The body is larger than 8192 bytes."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, header, body := ask(t, "POST", "/api/teas/", c.media, c.body)
			if c.want == "" {
				if status != http.StatusCreated || header.Get("Location") != "/api/teas/"+teaID+"/" {
					t.Errorf("status %d, body %s; want success", status, body)
				}
				return
			}
			if got := strings.Join(messages(t, status, body), "; "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// withoutLength hides the length of a body, like chunked encoding.
type withoutLength struct{ io.Reader }

func TestBodyWithoutLengthIsLimited(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]int{8192: http.StatusCreated, 8193: http.StatusBadRequest} {
		body := goodTea + strings.Repeat(" ", size-len(goodTea))
		r := httptest.NewRequest("POST", "/api/teas/", withoutLength{strings.NewReader(body)})
		w := httptest.NewRecorder()
		open(shop()).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("body of %d bytes without Content-Length: status %d, body %s; want %d", size, w.Code, w.Body, want)
		}
	}
}

func TestIncompleteBody(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("POST", "/api/teas/", io.MultiReader(strings.NewReader(goodTea), brokenReader{}))
	w := httptest.NewRecorder()
	open(shop()).ServeHTTP(w, r)
	if got := messages(t, w.Code, w.Body.String()); got[0] != "The body could not be read to its end." {
		t.Errorf("message = %q, want that the body could not be read to its end", got)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestCompressedBody(t *testing.T) {
	t.Parallel()
	status, _, body := ask(t, "POST", "/api/teas/", "application/json", goodTea, "Content-Encoding", "gzip")
	if got := messages(t, status, body); got[0] != "The body must not be compressed." {
		t.Errorf("message = %q, want that the body must not be compressed", got)
	}
}

func TestOptionalBody(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{"": "ar_en", "{}": "ar_en", `{"language":null}`: "ar_en", `{"language":"en"}`: "en"} {
		_, header, _ := ask(t, "POST", "/api/teas/"+teaID+"/brew/", "application/json", body)
		if got := header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment; filename*=utf-8''"+want+"%20") {
			t.Errorf("body %q: response %q, want the file name to begin with %q", body, got, want)
		}
	}
	status, _, body := ask(t, "POST", "/api/teas/x/brew/", "", `{"language":"fr"}`)
	want := []string{"tea_id: must be a UUID", "language: must be 'ar', 'en' or 'ar_en'"}
	if diff := cmp.Diff(want, messages(t, status, body)); diff != "" {
		t.Error(diff)
	}
}

func TestHeader(t *testing.T) {
	t.Parallel()
	if status, _, body := ask(t, "POST", "/api/teas/", "", goodTea, "Idempotency-Key", "till 7"); status != 201 {
		t.Errorf("with the header: status %d, body %s; want 201", status, body)
	}
	status, _, body := ask(t, "POST", "/api/teas/", "", `{}`, "Idempotency-Key", "much too long a key", "Idempotency-Key", "x")
	got := messages(t, status, body)
	if len(got) != 6 || got[0] != "Idempotency-Key: must have at most 10 characters" || got[1] != "tea_schema.name: Field required" {
		t.Errorf("with an invalid header: problems %q, want 6, beginning with the header and the name", got)
	}
}

func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"page=1&status=fresh,old", "after=2026-01-31T10:00:00+03:00", "uuid=%zz", "hot=true;page=2", "%=%&&=", "above=1" + strings.Repeat("0", 40)} {
		f.Add(seed)
	}
	surface := open(shop())
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest("GET", "/api/teas/", nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		surface.ServeHTTP(w, r)
		if w.Code != http.StatusOK && w.Code != http.StatusBadRequest || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("query %q: status %d, body %s; want 200 or 400", query, w.Code, w.Body)
		}
	})
}
