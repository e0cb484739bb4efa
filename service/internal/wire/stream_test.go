package wire_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

type leafRow struct {
	Text string `json:"text"`
}

type leafList struct {
	Rows  codec.Stream[leafRow] `json:"rows"`
	Total int                   `json:"total"`
}

// leaves returns a public route with a list of parts of ten rows each. Every row
// has the given size, and before a part is produced, before is called with its
// number.
func leaves(parts, size int, before func(part int) error) wire.Route {
	return wire.Serve(wire.Route{Method: http.MethodGet, Path: "/leaves/", Name: "leaves", Summary: "leaves", Access: wire.Anyone},
		func(context.Context, wire.Caller, *nothing) (*leafList, error) {
			n := 0
			return &leafList{Total: parts * 10, Rows: codec.Stream[leafRow]{Next: func(add func(*leafRow) error) (bool, error) {
				if err := before(n); err != nil || parts == 0 {
					return false, err
				}
				for range 10 {
					if err := add(&leafRow{strings.Repeat("x", size)}); err != nil {
						return false, err
					}
				}
				n++
				return n < parts, nil
			}}}, nil
		})
}

func noError(int) error { return nil }

// wantedLeaves returns the body of the response of leaves.
func wantedLeaves(parts, size int) string {
	row := `{"text":"` + strings.Repeat("x", size) + `"}`
	return `{"rows":[` + strings.TrimSuffix(strings.Repeat(row+",", parts*10), ",") + `],"total":` + strconv.Itoa(parts*10) + `}`
}

// fetch calls leaves over a connection.
func fetch(t *testing.T, f *framed, accept string) (answer fetched, body string, err error) {
	t.Helper()
	server := httptest.NewServer(f)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/v1/leaves/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	got, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	return fetched{got.StatusCode, got.Header, got.ContentLength}, string(text), err
}

// fetched is a response whose body was read.
type fetched struct {
	StatusCode    int
	Header        http.Header
	ContentLength int64
}

func TestStreamedResponses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		parts, size int
		accept      string
		length, zip bool // has Content-Length; is compressed
		vary        string
	}{
		{"empty", 0, 0, "gzip", true, false, ""},
		{"small", 1, 20, "gzip", true, false, ""},
		{"one large part", 1, 20_000, "", true, false, "Accept-Encoding"},
		{"one large part, compressed", 1, 20_000, "gzip", true, true, "Accept-Encoding"},
		{"parts", 3, 20_000, "identity", false, false, "Accept-Encoding"},
		{"parts, compressed", 3, 20_000, "br, gzip", false, true, "Accept-Encoding"},
		{"small parts, compressed", 3, 20, "gzip", false, true, "Accept-Encoding"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			answer, body, err := fetch(t, frame(leaves(c.parts, c.size, noError)), c.accept)
			if err != nil {
				t.Fatal(err)
			}
			if zip := answer.Header.Get("Content-Encoding") == "gzip"; zip != c.zip {
				t.Fatalf("compressed: %v, want %v", zip, c.zip)
			} else if zip {
				r, err := gzip.NewReader(strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				plain, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				body = string(plain)
			}
			if body != wantedLeaves(c.parts, c.size) {
				t.Errorf("body is not the list: %.200s", body)
			}
			if got := answer.ContentLength >= 0; got != c.length {
				t.Errorf("has Content-Length: %v, want %v", got, c.length)
			}
			if got := answer.Header.Get("Vary"); got != c.vary {
				t.Errorf("Vary is %q, want %q", got, c.vary)
			}
		})
	}
}

// An error before the first byte is answered as usual. After it, the connection is
// aborted, and the call is still logged and observed.
func TestStreamThatFails(t *testing.T) {
	t.Parallel()
	for name, accept := range map[string]string{"plain": "", "compressed": "gzip"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := frame(leaves(3, 20_000, func(int) error { return fault.New(fault.DatabaseUnavailable, "Busy.") }))
			answer, body, err := fetch(t, f, accept)
			if err != nil || answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "Busy.") {
				t.Errorf("an error in the first part: got %d %s, %v, want 503", answer.StatusCode, body, err)
			}
			f = frame(leaves(3, 20_000, func(part int) error {
				if part == 2 {
					return errors.New("the disk is gone")
				}
				return nil
			}))
			answer, body, err = fetch(t, f, accept)
			if answer.StatusCode != http.StatusOK || !errors.Is(err, io.ErrUnexpectedEOF) || body == "" || json.Valid([]byte(body)) {
				t.Errorf("an error in the last part: got %d, %d bytes, %v, want a part of the list and an unexpected EOF", answer.StatusCode, len(body), err)
			}
			if got := f.only(t); got.Level != "ERROR" || got.Status != http.StatusInternalServerError || !strings.Contains(got.Cause, "the disk is gone") {
				t.Errorf("the log has %+v, want the error with status 500", got)
			}
			if len(f.seen) != 1 || f.seen[0].Status != http.StatusInternalServerError {
				t.Errorf("observed %+v, want one call with status 500", f.seen)
			}
		})
	}
}

// Nothing is produced for a client that has closed the connection.
func TestStreamEndsWithItsClient(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	produced := 0
	f := frame(leaves(5, 20_000, func(part int) error {
		if produced++; part == 1 {
			leave()
		}
		return nil
	}))
	defer func() {
		if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // net/http compares it with ==
			t.Errorf("panic %v, want http.ErrAbortHandler", p)
		}
		if got := f.only(t); produced != 2 || got.Level != "INFO" || got.Status != 499 {
			t.Errorf("produced %d parts and logged %+v, want 2 parts and status 499", produced, got)
		}
	}()
	f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/v1/leaves/", http.NoBody))
}

func TestGzipNegotiation(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "x-gzip": true, "br": false, "gzip, br": true, "br;q=1.0, gzip;q=0.8": true,
		"gzip;q=0": false, "gzip;q=0.000": false, "gzip; q=0": false, "gzip ;Q=0.5": true, "*": true, "*;q=0": false, "*, gzip;q=0": false, "*;q=0, gzip": true,
		"identity": false, "identity;q=0, gzip": true, "identity;q=1, gzip;q=0.5": false, "identity;q=0.5, gzip;q=1.0": true, "gzip;q=x": false, "gzip;q=2": false, "gzip;q=NaN": false, "gzipped": false, ",,;": false,
	} {
		answer, _, err := fetch(t, frame(leaves(1, 20_000, noError)), accept)
		if got := answer.Header.Get("Content-Encoding") == "gzip"; err != nil || got != want {
			t.Errorf("Accept-Encoding %q: compressed %v, %v, want %v", accept, got, err, want)
		}
	}
}

// Large JSON that is not a stream is compressed too; small JSON is not.
func TestLargeJSONIsCompressed(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]bool{100: false, 20_000: true} {
		f := frame(mishap("say", func() (*said, error) { return &said{Text: strings.Repeat("x", size), Number: "1"}, nil }))
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/v1/say/", http.NoBody)
		r.Header.Set("Accept-Encoding", "gzip")
		f.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != want || (w.Header().Get("Vary") == "Accept-Encoding") != want || w.Header().Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
			t.Errorf("%d bytes: headers %v, want compressed %v", size, w.Header(), want)
		}
	}
}
