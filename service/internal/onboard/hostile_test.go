package onboard_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"

	"khatm/service/internal/onboard"
)

// spoiler is a proxy in front of the simulator that responds to some calls itself.
type spoiler struct {
	mu      sync.Mutex
	answers map[string][]answer // by operation, such as "POST /compliance"
}

type answer struct {
	status int
	body   string
}

// spoil starts a spoiler and returns it with an authority that uses it.
func (h *fixture) spoil() (*spoiler, onboard.Authority) {
	h.t.Helper()
	behind, err := url.Parse(h.url)
	if err != nil {
		h.t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(behind)
	proxy.Transport = &http.Transport{DisableKeepAlives: true}
	s := &spoiler{answers: map[string][]answer{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a, spoilt := s.next(r.Method + " " + r.URL.Path); spoilt {
			w.WriteHeader(a.status)
			_, _ = w.Write([]byte(a.body))
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	h.t.Cleanup(server.Close)
	return s, h.reach(server.URL)
}

// say sets the response to the next call of an operation.
func (s *spoiler) say(operation string, status int, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[operation] = append(s.answers[operation], answer{status, body})
}

// clear removes all responses that were set.
func (s *spoiler) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.answers)
}

func (s *spoiler) next(operation string) (answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.answers[operation]
	if len(left) == 0 {
		return answer{}, false
	}
	s.answers[operation] = left[1:]
	return left[0], true
}
