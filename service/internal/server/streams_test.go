package server_test

import (
	"bufio"
	"context"
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/wire"
)

// A server that stops ends its streams of events at the start of the drain period,
// and does not wait for them.
func TestR11_StreamsEndWithTheServer(t *testing.T) {
	t.Parallel()
	second := make(chan struct{})
	r := servicetest.Run(t, func(c *server.Config) { c.Drain, c.EndDrain = 10*time.Minute, second })
	r.Service.Surface("/test", []wire.Route{wire.Serve(
		wire.Route{Method: http.MethodGet, Path: "/wait/", Name: "wait", Summary: "Wait", Access: wire.People},
		func(context.Context, wire.Caller, *struct{}) (*wire.Events[struct{}], error) {
			return &wire.Events[struct{}]{Next: func(ctx context.Context) (wire.Event[struct{}], error) {
				<-ctx.Done()
				return wire.Event[struct{}]{}, ctx.Err()
			}}, nil
		})})
	ctx, cancel := context.WithTimeout(t.Context(), servicetest.Patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.Address+"/test/wait/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+r.Session(org.ViewInvoice, r.Org))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	if !lines.Scan() || response.StatusCode != http.StatusOK {
		t.Fatalf("response %d %q, want the start of a stream", response.StatusCode, lines.Text())
	}
	r.Stop()
	for lines.Scan() {
		if lines.Text() == "event: end" {
			t.Error("the stream says that nothing more follows")
		}
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream ended with %v, want an ordinary end", err)
	}
	close(second)
	if err := r.Wait(); err != nil {
		t.Error(err)
	}
}
