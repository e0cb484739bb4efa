package replay

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

// The mood of the simulator is restored if the work fails or is interrupted.
func TestPolitelyRestoresTheMood(t *testing.T) {
	now := `{"name":"outage"}`
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			var set json.RawMessage
			if err := json.NewDecoder(r.Body).Decode(&set); err != nil {
				t.Error(err)
			}
			now = string(set)
			seen = append(seen, now)
		}
		_, _ = w.Write([]byte(now)) // the client reports a failure
	}))
	defer server.Close()
	failure := errors.New("interrupted")
	ctx, cancel := context.WithCancel(t.Context())
	err := control{server.URL, server.Client()}.politely(ctx, func() error {
		cancel()
		return failure
	})
	if !errors.Is(err, failure) || len(seen) != 2 || now != `{"name":"outage"}` {
		t.Errorf("politely = %v, moods set: %s, want the failure and the mood of before", err, seen)
	}
}
