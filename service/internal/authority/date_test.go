package authority_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/authority"
)

func TestDateOfResponses(t *testing.T) {
	stated := time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)
	header := func(w http.ResponseWriter) { w.Header().Set("Date", stated.Format(http.TimeFormat)) }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		header(w)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	var boot atomic.Int64
	var heard time.Time
	var at time.Duration
	client, err := authority.New(authority.Config{
		URL: server.URL, Now: time.Now, Boot: func() time.Duration { return time.Duration(boot.Add(10)) },
		Dated: func(date time.Time, when time.Duration) { heard, at = date, when },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.AskTime(t.Context()); err != nil || !heard.Equal(stated.Add(time.Second/2)) || at != 15 {
		t.Errorf("Dated called with %s at %d; AskTime = %v; want %s at 15", heard, at, err, stated.Add(time.Second/2))
	}
	for name, other := range map[string]func(http.ResponseWriter){
		"none":    func(w http.ResponseWriter) { w.Header()["Date"] = nil },
		"no date": func(w http.ResponseWriter) { w.Header().Set("Date", "yesterday") },
		"cached": func(w http.ResponseWriter) {
			w.Header().Set("Date", stated.Format(http.TimeFormat))
			w.Header().Set("Age", "60")
		},
	} {
		heard, header = time.Time{}, other
		if err := client.AskTime(t.Context()); err != nil || !heard.IsZero() {
			t.Errorf("%s: Dated called with %s; AskTime = %v; want no call and no error", name, heard, err)
		}
	}
}
