package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// In the drain period /readyz responds with 503, and requests are served.
func TestR11_DrainPeriod(t *testing.T) {
	t.Parallel()
	operations := freePort(t)
	second := make(chan struct{})
	r := servicetest.Run(t, func(c *server.Config) {
		c.Operations, c.Drain, c.EndDrain = operations, 10*time.Minute, second
	})
	r.Stop()
	servicetest.Eventually(t, "/readyz responds with 503", func() bool {
		status, text := get(t, operations, "/readyz")
		return status == http.StatusServiceUnavailable && text == "stopping\n"
	})
	for range 3 {
		got := r.Say("GET " + servicetest.UsagePath + " HTTP/1.1\nHost: khatm\nAuthorization: Bearer " + r.Key + "\n\n")
		if len(got) != 1 || got[0].Status != http.StatusOK || got[0].Header.Get("Connection") != "close" {
			t.Errorf("responses %+v, want one 200 that closes the connection", got)
		}
	}
	select {
	case err := <-r.Ended:
		t.Fatalf("Run returned %v in the drain period", err)
	default:
	}
	close(second)
	if err := r.Wait(); err != nil {
		t.Error(err)
	}
}

func TestDrainOutOfRange(t *testing.T) {
	t.Parallel()
	for _, drain := range []time.Duration{-time.Second, 11 * time.Minute} {
		c := server.Defaults()
		c.Data, c.Drain = t.TempDir(), drain
		if _, err := server.New(t.Context(), c); err == nil || !strings.Contains(err.Error(), "--drain is") {
			t.Errorf("New with a drain of %s returned %v, want an error about --drain", drain, err)
		}
	}
}
