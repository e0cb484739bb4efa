package guest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"khatm/service/internal/capacity"
	"khatm/service/internal/servicetest"
)

// slow is a client that calls meanwhile while it sends its request and reads its
// response.
type slow struct {
	*httptest.ResponseRecorder
	form      io.Reader
	meanwhile func(what string)
}

func (s slow) Read(p []byte) (int, error) {
	s.meanwhile("sends its form")
	return s.form.Read(p)
}

func (s slow) Write(p []byte) (int, error) {
	s.meanwhile("reads the response")
	return s.ResponseRecorder.Write(p)
}

// TestGuest_SlowClientHoldsNoSlot checks that no slot for computing is in use while
// a form is received and a page is sent.
func TestGuest_SlowClientHoldsNoSlot(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, servicetest.Wide)
	_, token := h.DraftSharing().Shared()
	limits := h.Service.Capacity()
	for _, c := range []struct {
		method, part, form string
		status             int
		moments            []string
	}{
		{http.MethodGet, "", "", http.StatusOK, []string{"reads the response"}},
		{http.MethodGet, "/pdf", "", http.StatusOK, []string{"reads the response"}},
		{http.MethodPost, "/approve", "name=Noura", http.StatusBadRequest, []string{"sends its form", "reads the response"}},
		{http.MethodPost, "/approve", "name=" + strings.Repeat("n", 16<<10), http.StatusBadRequest, []string{"sends its form", "reads the response"}},
	} {
		seen := map[string]bool{}
		client := slow{httptest.NewRecorder(), strings.NewReader(c.form), func(what string) {
			seen[what] = true
			for name, pool := range map[string]*capacity.Pool{"brief": limits.Brief, "work": limits.Work, "memory": limits.Memory} {
				if used := pool.Usage().Used; used != 0 {
					t.Errorf("%s %s: %d of %s in use while the client %s, want 0", c.method, c.part, used, name, what)
				}
			}
		}}
		r := httptest.NewRequest(c.method, "/s/"+token+c.part, client)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		h.Service.Handler().ServeHTTP(client, r)
		servicetest.Equal(t, c.method+" "+c.part, client.Code, c.status)
		for _, moment := range c.moments {
			if !seen[moment] {
				t.Errorf("%s %s: the client never %s", c.method, c.part, moment)
			}
		}
		if used := limits.Buffers.Usage().Used; used != 0 {
			t.Errorf("%s %s: %d bytes of buffers in use afterwards, want 0", c.method, c.part, used)
		}
	}
}
