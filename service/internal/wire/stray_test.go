package wire_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"khatm/service/internal/wire"
)

func listens(method, path string) wire.Route {
	return wire.Serve(wire.Route{Method: method, Path: path, Name: method + path, Summary: "Hear", Access: wire.Anyone}, hear)
}

func TestInterface_7_1_PathsAndMethodsThatAreNotServed(t *testing.T) {
	f := frame(listens("POST", "/teas/"), listens("PATCH", "/teas/old/"), listens("DELETE", "/teas/old/"))
	f.Open("/v1/docs", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	cases := []struct {
		name, method, path string
		want               int
		allow, message     string
	}{
		{"no path", "GET", "/nowhere/", 404, "", "Not found"},
		{"a slash is missing", "POST", "/v1/teas", 404, "", "Not found. Paths end with a slash: /v1/teas/"},
		{"a slash is missing, of another method", "GET", "/v1/teas", 404, "", "Not found"},
		{"a slash too many", "POST", "/v1//teas/", 404, "", "Not found"},
		{"another method", "GET", "/v1/teas/", 405, "POST", "Method not allowed. This path knows POST."},
		{"two others", "GET", "/v1/teas/old/", 405, "PATCH, DELETE", "Method not allowed. This path knows PATCH, DELETE."},
		{"a method of nobody's", "BREW", "/v1/teas/", 405, "POST", "Method not allowed. This path knows POST."},
		{"a method of nobody's, nowhere", "BREW", "/nowhere/", 404, "", "Not found"},
		{"a page", "POST", "/v1/docs", 405, "GET, HEAD", "Method not allowed. This path knows GET, HEAD."},
		{"an escaped slash", "POST", "/v1/teas%2fold/", 404, "", "Not found"},
		{"escaped letters", "GET", "/v1/%74eas/", 404, "", "Not found"},
		{"dots", "POST", "/v1/teas/%2e%2e/teas/", 404, "", "Not found"},
		{"a line break", "POST", "/v1/te%0aas", 404, "", "Not found"},
		{"everything", "OPTIONS", "*", 404, "", "Not found"},
	}
	for _, c := range cases {
		r := httptest.NewRequest(c.method, "http://khatm/", nil)
		r.URL.Path, r.URL.RawPath = c.path, ""
		if strings.Contains(c.path, "%") {
			r = httptest.NewRequest(c.method, "http://khatm"+c.path, nil)
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		want := `{"message":"` + c.message + `"}` + "\n"
		if w.Code != c.want || w.Header().Get("Allow") != c.allow || w.Body.String() != want {
			t.Errorf("%s: got %d, Allow %q, %s", c.name, w.Code, w.Header().Get("Allow"), w.Body)
		}
		counted := w.Header().Get("X-RateLimit-Limit") != ""
		if counted != (c.path != "/v1/docs") {
			t.Errorf("%s: the headers are %v", c.name, w.Header())
		}
	}
}

// A key that was pasted into a path is known by its public name.
func TestK5_PathsInTheLogAreShort(t *testing.T) {
	key := "svc_ab12cd3_" + strings.Repeat("s", 43)
	cases := []struct{ name, path, want string }{
		{"an id stays", "/v1/teas/01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7e/", `"path":"/v1/teas/01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7e/"`},
		{"a key is cut", "/v1/teas/" + key + "/", `"path":"/v1/teas/svc_ab12cd3_…/"`},
		{"a short key is cut", "/v1/svc_ab12cd3_secret", `"path":"/v1/svc_ab12cd3_…"`},
		{"a key that is none", "/v1/svc_%D8%AA%D8%AA%D8%AA%D8%AA%D8%AA%D8%AA", `"path":"/v1/svc_تتتت…"`},
		{"a file stays", "/v1/api/integrations/openapi-3.0.json", `"path":"/v1/api/integrations/openapi-3.0.json"`},
		{"a line break does not make a line", "/v1/a%0ab/", `"path":"/v1/…/"`},
		{"an e-mail", "/v1/teas/noura@example.com/", `"path":"/v1/teas/…/"`},
		{"a token", "/v1/teas/" + strings.Repeat("s", 43) + "/", `"path":"/v1/teas/…/"`},
		{"no UTF-8", "/v1/%ff/", `"path":"/v1/…/"`},
		{"a long path", "/v1/" + strings.Repeat("a/", 500), `"path":"/v1/` + strings.Repeat("a/", 98) + `…"`},
	}
	for _, c := range cases {
		f := frame()
		f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, c.path, nil))
		if log := f.log.String(); !strings.Contains(log, c.want) || strings.Contains(log, key) || strings.Count(log, "\n") != 1 {
			t.Errorf("%s: the log is %s", c.name, log)
		}
	}
}
