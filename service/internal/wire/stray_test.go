package wire_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
	"khatm/service/internal/wire"
)

func listens(method, path string) wire.Route {
	return wire.Serve(wire.Route{Method: method, Path: path, Name: method + path, Summary: "Hear", Access: wire.Anyone}, hear)
}

func TestInterface_7_1_PathsAndMethodsThatAreNotServed(t *testing.T) {
	t.Parallel()
	f := frame(listens("POST", "/teas/"), listens("PATCH", "/teas/old/"), listens("DELETE", "/teas/old/"))
	f.Open("/v1/docs", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	cases := []struct {
		name, method, path string
		want               int
		allow, message     string
	}{
		{"unknown path", "GET", "/nowhere/", 404, "", "Not found"},
		{"a slash is missing", "POST", "/v1/teas", 404, "", "Not found. Paths end with a slash: /v1/teas/"},
		{"a slash is missing, wrong method", "GET", "/v1/teas", 404, "", "Not found"},
		{"a slash too many", "POST", "/v1//teas/", 404, "", "Not found"},
		{"wrong method", "GET", "/v1/teas/", 405, "POST", "Method not allowed. This path allows POST."},
		{"wrong method, two allowed", "GET", "/v1/teas/old/", 405, "PATCH, DELETE", "Method not allowed. This path allows PATCH, DELETE."},
		{"unknown method", "BREW", "/v1/teas/", 405, "POST", "Method not allowed. This path allows POST."},
		{"unknown method on an unknown path", "BREW", "/nowhere/", 404, "", "Not found"},
		{"a page", "POST", "/v1/docs", 405, "GET, HEAD", "Method not allowed. This path allows GET, HEAD."},
		{"an escaped slash", "POST", "/v1/teas%2fold/", 404, "", "Not found"},
		{"escaped letters", "GET", "/v1/%74eas/", 404, "", "Not found"},
		{"dots", "POST", "/v1/teas/%2e%2e/teas/", 404, "", "Not found"},
		{"a line break in the path", "POST", "/v1/te%0aas", 404, "", "Not found"},
		{"asterisk form", "OPTIONS", "*", 404, "", "Not found"},
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
		if w.Code != c.want || w.Header().Get("Allow") != c.allow || servicetest.Plain(w.Body.String()) != want {
			t.Errorf("%s: status %d, Allow %q, body %s; want %d, %q, %s", c.name, w.Code, w.Header().Get("Allow"), w.Body, c.want, c.allow, want)
		}
		_, counted := map[string][]string(w.Header())["X-RateLimit-Limit"] // not in canonical form
		if counted != (c.path != "/v1/docs") {
			t.Errorf("%s: rate limit headers in %v; want them: %t", c.name, w.Header(), c.path != "/v1/docs")
		}
	}
}

// A path that matches no route may contain a token or a name: only segments of our
// own paths, ids and the public names of keys may be logged.
func TestK5_PathsInTheLogHideSecrets(t *testing.T) {
	t.Parallel()
	const id = "01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7e"
	key := "svc_ab12cd3_" + strings.Repeat("s", 43)
	cases := []struct{ name, path, want string }{
		{"a route", "/v1/teas/" + id + "/", "/v1/teas/{tea_id}/"},
		{"a route with a token as id", "/v1/teas/Zq3vJ8mT1xY5cB7nL0dK2w/", "/v1/teas/{tea_id}/"},
		{"a page", "/v1/api/integrations/openapi-3.0.json", "/v1/api/integrations/openapi-3.0.json"},
		{"an id is kept", "/v1/teas/" + id, "/v1/teas/" + id},
		{"a key is shortened", "/v1/teas/" + key + "/teas/", "/v1/teas/svc_ab12cd3_…/teas/"},
		{"half a key", "/v1/svc_ab12cd3_secret", "/v1/…"},
		{"an invalid key", "/v1/svc_%D8%AA%D8%AA%D8%AA%D8%AA%D8%AA%D8%AA", "/v1/…"},
		{"a token of 22 characters", "/v1/teas/Zq3vJ8mT1xY5cB7nL0dK2w", "/v1/teas/…"},
		{"a token of 32 digits", "/v1/teas/" + strings.ReplaceAll(id, "-", ""), "/v1/teas/…"},
		{"a parameter's name", "/v1/{tea_id}/", "/v1/…/"},
		{"a name", "/noura/", "/…/"},
		{"a line break", "/v1/a%0ab/", "/v1/…/"},
		{"an e-mail", "/v1/noura@example.com/", "/v1/…/"},
		{"invalid UTF-8", "/v1/%ff/", "/v1/…/"},
		{"a long path", "/v1/x" + strings.Repeat("/a", 500), "/v1" + strings.Repeat("/…", 50)},
		{"a long path, cut within a character", "/teas/x" + strings.Repeat("/a", 500), "/teas" + strings.Repeat("/…", 49)},
	}
	row := wire.Serve(wire.Route{Method: http.MethodGet, Path: "/teas/{tea_id}/", Name: "get-tea", Summary: "Read", Access: wire.Anyone},
		func(context.Context, wire.Caller, *oneTea) (*said, error) { return &said{Number: "1"}, nil })
	for _, c := range cases {
		f := frame(row)
		f.Open("/v1/api/integrations/openapi-3.0.json", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, c.path, nil))
		if got := f.only(t); got.Path != c.want {
			t.Errorf("%s: logged path = %q, want %q", c.name, got.Path, c.want)
		}
	}
}
