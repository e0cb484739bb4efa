package listen_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/listen/listentest"
)

// A request with two lengths, which a proxy may have read in another way, is
// answered, and nothing more is read from its connection.
func TestRequestWithTwoLengthsClosesTheConnection(t *testing.T) {
	t.Parallel()
	r := serve(t, ok)
	t.Cleanup(r.stop)
	const (
		chunked = "Transfer-Encoding: chunked\r\n"
		body    = "\r\n5\r\nhello\r\n0\r\n\r\n"
		plain   = "POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 5\r\n\r\nhello"
	)
	long := "X-Long: " + strings.Repeat("x", 4080) + "\r\n" // longer than one read of the server
	for name, c := range map[string]struct {
		request string // followed by another request
		want    int    // responses
		status  int    // of the last response
	}{
		"only Content-Length":                {plain, 2, 200},
		"only chunked":                       {"POST / HTTP/1.1\r\nHost: khatm\r\n" + chunked + body, 2, 200},
		"chunked after Content-Length":       {plain + "POST / HTTP/1.1\r\nHost: khatm\r\n" + chunked + body, 3, 200},
		"both":                               {"POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 15\r\n" + chunked + body, 1, 200},
		"both, the other way round":          {"POST / HTTP/1.1\r\nHost: khatm\r\n" + chunked + "content-LENGTH: 15\r\n" + body, 1, 200},
		"both, after another request":        {plain + "POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 15\r\n" + chunked + body, 2, 200},
		"both, in a long header":             {"POST / HTTP/1.1\r\nHost: khatm\r\n" + long + "Content-Length: 15\r\n" + chunked + body, 1, 200},
		"both, with HTTP/1.0":                {"POST / HTTP/1.0\r\nHost: khatm\r\nConnection: keep-alive\r\nContent-Length: 5\r\n" + chunked + "\r\nhello", 1, 200},
		"the same length twice":              {"POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 2, 200},
		"two different lengths":              {"POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 1, 400},
		"two different lengths in one line":  {"POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 5, 6\r\n\r\nhello", 1, 400},
		"a length with a sign":               {"POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: +5\r\n\r\nhello", 1, 400},
		"a space before the colon":           {"POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length : 5\r\n" + chunked + body, 1, 400},
		"a transfer encoding that is hidden": {"POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 5\r\nTransfer-Encoding: xchunked\r\n\r\nhello", 1, 501},
	} {
		conn, reader := r.dial()
		say(t, conn, c.request+"GET / HTTP/1.1\r\nHost: khatm\r\nConnection: close\r\n\r\n")
		var got []listentest.Answer
		for {
			one, err := listentest.ReadAnswer(reader, http.MethodPost)
			if err != nil {
				break
			}
			got = append(got, one)
		}
		if len(got) != c.want || got[len(got)-1].Status != c.status || got[len(got)-1].Header.Get("Connection") != "close" {
			t.Errorf("%s: responses %+v; want %d, the last with status %d and Connection close", name, got, c.want, c.status)
		}
	}
}

// A client that is still sending when its connection is closed gets the whole
// response, not a reset.
func TestCloseKeepsTheResponse(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	r := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		_, _ = io.WriteString(w, strings.Repeat("x", size))
	})
	t.Cleanup(r.stop)
	for range 20 {
		conn, reader := r.dial()
		say(t, conn, strings.Repeat("GET / HTTP/1.1\r\nHost: khatm\r\n\r\n", 1000))
		got, err := listentest.ReadAnswer(reader, http.MethodGet)
		if err != nil || len(got.Body) != size {
			t.Fatalf("response of %d bytes, %v; want %d", len(got.Body), err, size)
		}
		if _, err := io.Copy(io.Discard, reader); err != nil {
			t.Fatalf("the connection ended with %v", err)
		}
	}
}
