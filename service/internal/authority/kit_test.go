package authority_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noon is the current time of all test clients.
var noon = time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)

// gate is a client with a test server, which takes the place of the authority
// and records requests.
type gate struct {
	t      testing.TB
	client *authority.Client
	url    string

	mu    sync.Mutex
	asked []*http.Request
}

// open starts a test server with a handler.
func open(t testing.TB, answer http.HandlerFunc) *gate {
	t.Helper()
	g := &gate{t: t}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.asked = append(g.asked, r)
		g.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	g.url = server.URL + "/e-invoicing/simulation"
	g.client = client(t, authority.Config{URL: g.url})
	return g
}

func client(t testing.TB, c authority.Config) *authority.Client {
	t.Helper()
	c.Now = func() time.Time { return noon }
	made, err := authority.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(made.Close)
	return made
}

// hostile starts a test server that answers every request with the same status,
// body and header.
func hostile(t testing.TB, status int, body []byte, header http.Header) *gate {
	t.Helper()
	return open(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		_, _ = w.Write(body)
	})
}

var (
	credentials = device.Credentials{Token: "dG9rZW4=", Secret: device.NewSecret("secret-canary")}
	paper       = ledger.Dispatch{UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", Hash: "aGFzaA==", XML: []byte("<Invoice/>")}
	otp         = device.NewSecret("739125")
)

// send sends a document to a named endpoint.
func (g *gate) send(to string) ledger.Verdict {
	ctx := context.Background()
	switch to {
	case "clearance":
		return g.client.Clear(ctx, credentials, paper)
	case "reporting":
		return g.client.Report(ctx, credentials, paper)
	}
	return g.client.CheckSample(ctx, credentials, paper)
}

// last returns the last request.
func (g *gate) last() *http.Request {
	g.t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.asked) == 0 {
		g.t.Fatal("no request was received")
	}
	return g.asked[len(g.asked)-1]
}
