package authority_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
)

func TestReliability_U11_AnswersAreBounded(t *testing.T) {
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	for range 64 {
		if _, err := zip.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for range 1 << 20 {
			if _, err := w.Write(bytes.Repeat([]byte(`{"`), 1<<14)); err != nil {
				return
			}
		}
	}
	for name, g := range map[string]*gate{
		"bomb":    hostile(t, 200, bomb.Bytes(), http.Header{"Content-Encoding": {"gzip"}}),
		"long":    hostile(t, 200, bytes.Repeat([]byte("x"), 8<<20+1), nil),
		"endless": open(t, endless),
		"header":  hostile(t, 200, nil, http.Header{"X": {strings.Repeat("x", 1<<20)}}),
		"no gzip": hostile(t, 200, []byte("{}"), http.Header{"Content-Encoding": {"gzip"}}),
	} {
		v := g.send("reporting")
		if v.Outcome != ledger.Unknown || v.Code != 0 || v.Cause == nil || len(v.Raw) != 0 || !v.Sent {
			t.Errorf("%s: outcome %v, code %d, cause %v, %d bytes; want unknown with a cause and no body", name, v.Outcome, v.Code, v.Cause, len(v.Raw))
		}
	}
	largest := bytes.Repeat([]byte(" "), 8<<20)
	if v := hostile(t, 200, largest, nil).send("reporting"); v.Code != 200 || len(v.Raw) != len(largest) {
		t.Errorf("answer of 8 MiB: code %d, %d bytes, cause %v; want all of it", v.Code, len(v.Raw), v.Cause)
	}
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, "-3": 0, "soon": 0,
		"99999999999999": 10 * time.Minute, "1e3": 0, "9999999999999999999999": 0,
		noon.Add(90 * time.Second).Format(http.TimeFormat):  90 * time.Second,
		noon.Add(-10 * time.Minute).Format(http.TimeFormat): 0,
		noon.AddDate(1, 0, 0).Format(http.TimeFormat):       10 * time.Minute,
	} {
		g := hostile(t, http.StatusTooManyRequests, nil, http.Header{"Retry-After": {text}})
		if v := g.send("clearance"); v.Wait != want || v.Outcome != ledger.Throttled {
			t.Errorf("Retry-After %q: wait %s, outcome %s; want a wait of %s", text, v.Wait, v.Outcome, want)
		}
	}
}

// Sent is false only if certainly nothing was sent.
func TestSentSaysWhetherItMayHaveArrived(t *testing.T) {
	hangUp := func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	if v := open(t, hangUp).send("reporting"); !v.Sent || v.Outcome != ledger.Unknown || v.Cause == nil {
		t.Errorf("connection closed by the server: sent %v, outcome %v, cause %v; want sent, unknown, a cause", v.Sent, v.Outcome, v.Cause)
	}
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := nobody.Addr().String()
	_ = nobody.Close()
	v := client(t, authority.Config{URL: "http://" + address}).Report(context.Background(), credentials, paper)
	if v.Sent || v.Outcome != ledger.Unknown || v.Cause == nil {
		t.Errorf("no server: sent %v, outcome %v, cause %v; want not sent, unknown, a cause", v.Sent, v.Outcome, v.Cause)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v := hostile(t, 200, nil, nil).client.Clear(ctx, credentials, paper); v.Sent || !errors.Is(v.Cause, context.Canceled) {
		t.Errorf("canceled before the call: sent %v, cause %v; want not sent, canceled", v.Sent, v.Cause)
	}
}

func TestTimeout(t *testing.T) {
	over := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	defer slow.Close()
	defer close(over)
	c := client(t, authority.Config{URL: slow.URL, Timeout: 50 * time.Millisecond})
	v := c.Report(context.Background(), credentials, paper)
	if v.Outcome != ledger.Unknown || !v.Sent || v.Cause == nil || !strings.Contains(v.Cause.Error(), "no answer in time") {
		t.Errorf("outcome %v, sent %v, cause %v; want unknown, sent and a timeout", v.Outcome, v.Sent, v.Cause)
	}
	_, err := c.Compliance(context.Background(), "csr", otp)
	var silent *device.Silence
	if !errors.As(err, &silent) || silent.Status != 0 {
		t.Errorf("Compliance = %v, want a *device.Silence without a status", err)
	}
}
