package servicetest

import (
	"net/http"
	"testing"
)

func TestCheckAnswer_RequiresARequestID(t *testing.T) {
	h := Open(t, nil)
	plain := http.Header{"Content-Type": {"text/plain; charset=utf-8"}}
	for name, c := range map[string]struct {
		path   string
		answer Answer
		good   bool
	}{
		"a list":                {"/v1/api/items/", Answer{http.StatusOK, http.Header{"Content-Type": {"application/json"}}, `{}`}, false},
		"a refusal":             {"/v1/api/items/", Answer{http.StatusNotFound, http.Header{"Content-Type": {"application/json"}}, `{"message":"Not found"}`}, false},
		"a page":                {DocumentPath, Answer{http.StatusOK, http.Header{"Content-Type": {"application/json"}}, `{}`}, false},
		"a text of our handler": {"/v1/api/items/", Answer{http.StatusNotFound, plain, "not here"}, false},
		"a failure of net/http": {"/v1/api/items/", Answer{http.StatusInternalServerError, plain, "500 Internal Server Error"}, false},
		"a refusal of net/http": {"/v1/api/items/", Answer{http.StatusBadRequest, plain, "400 Bad Request: malformed Host header"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if err := CheckAnswer(h.Service.Rows(), h.Request(http.MethodGet, c.path, http.NoBody), c.answer); (err == nil) != c.good {
				t.Errorf("CheckAnswer = %v, want ok: %t", err, c.good)
			}
		})
	}
}
