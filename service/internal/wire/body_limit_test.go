package wire_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/servicetest"
)

const mebibyte = 1 << 20

func TestDecisions_JSONBodyOfFourMebibytes(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	path := "/v1/api/buyers/" + h.Client(h.Org, "Al Noor").ID.String() + "/"
	padded := func(size int) string {
		body := `{"city":"Jeddah"}`
		return body + strings.Repeat(" ", size-len(body))
	}
	cases := []struct {
		name string
		size int
		want int
	}{
		{"four mebibytes", 4 * mebibyte, http.StatusOK},
		{"one byte more", 4*mebibyte + 1, http.StatusBadRequest},
		{"five mebibytes", 5 * mebibyte, http.StatusBadRequest},
	}
	for _, c := range cases {
		for _, known := range []bool{true, false} {
			got := h.Send(http.MethodPatch, path, servicetest.Bearer(h.Key), servicetest.JSONBody(padded(c.size)), func(r *http.Request) {
				if !known {
					r.ContentLength = -1 // sent in chunks
				}
			})
			if got.Status != c.want {
				t.Errorf("%s, Content-Length sent %t: status %d, body %.200s; want %d", c.name, known, got.Status, got.Body, c.want)
			}
			if c.want == http.StatusBadRequest && servicetest.Plain(got.Body) != `{"message":"The body is larger than 4194304 bytes."}`+"\n" {
				t.Errorf("%s, Content-Length sent %t: body %s, want the limit of 4194304 bytes", c.name, known, got.Body)
			}
		}
	}
}

func TestDecisions_FormsAreLimited(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	big := func(size int) servicetest.Part {
		return servicetest.Part{Field: "file", Filename: "big.png", Content: strings.Repeat("x", size)}
	}
	cases := []struct {
		path  string
		data  servicetest.Part
		bound int
	}{
		{"/v1/api/onboarding/organizations/clients/", servicetest.Part{Field: "client_data", Filename: "", Content: servicetest.GoodClient()}, 8 * mebibyte},
		{"/v1/api/items/", servicetest.Part{Field: "item_data", Filename: "", Content: servicetest.GoodItem()}, 24 * mebibyte},
	}
	for _, c := range cases {
		got := h.Send(http.MethodPost, c.path, servicetest.Bearer(h.Key), servicetest.FormBody(t, c.data, big(c.bound)))
		if want := fmt.Sprintf(`{"message":"The body is larger than %d bytes."}`+"\n", c.bound); got.Status != http.StatusBadRequest || servicetest.Plain(got.Body) != want {
			t.Errorf("form to %s above its limit: status %d, body %.200s; want 400 and %s", c.path, got.Status, got.Body, want)
		}
	}
	if got := h.Call(http.MethodGet, "/v1/api/items/", "").JSON(t)["total"]; got != servicetest.Number(0) {
		t.Errorf("%v items exist after refused requests, want none", got)
	}
}

// A body of 100 MiB is refused while it is received, not after.
func TestA5_HugeBodyIsRefusedEarly(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, nil)
	client := r.Client(r.Org, "Al Noor").ID.String()
	const huge, most = 100 * mebibyte, 32 * mebibyte // includes data in kernel buffers
	authorization := "\r\nHost: khatm\r\nAuthorization: Bearer " + r.Key + "\r\n"
	chunk := "10000\r\n" + strings.Repeat(" ", 0x10000) + "\r\n"
	cases := []struct{ name, head, piece string }{
		{"JSON", "PATCH /v1/api/buyers/" + client + "/ HTTP/1.1" + authorization + fmt.Sprintf("Content-Length: %d\r\n\r\n", huge), chunk},
		{"JSON in chunks", "PATCH /v1/api/buyers/" + client + "/ HTTP/1.1" + authorization + "Transfer-Encoding: chunked\r\n\r\n", chunk},
		{"a form", "POST /v1/api/items/ HTTP/1.1" + authorization + "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"3d\r\n--b\r\nContent-Disposition: form-data; name=\"item_data\"\r\n\r\n    \r\n", chunk},
		{"a body that is not read", "POST /v1/api/usage/current/ HTTP/1.1" + authorization + "Transfer-Encoding: chunked\r\n\r\n", chunk},
		{"a body without a key", "PATCH /v1/api/buyers/" + client + "/ HTTP/1.1\r\nHost: khatm\r\nTransfer-Encoding: chunked\r\n\r\n", chunk},
	}
	for _, c := range cases {
		conn := r.Dial()
		var sent atomic.Int64
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, err := io.WriteString(conn, c.head)
			for err == nil && sent.Load() < huge {
				var n int
				n, err = io.WriteString(conn, c.piece)
				sent.Add(int64(n))
			}
		}()
		began := time.Now()
		got := r.Hear(conn, "POST")
		_ = conn.Close()
		<-ended
		if len(got) != 1 || got[0].Status < 400 || got[0].Status >= 500 {
			t.Errorf("%s: responses %.300v; want one with 4xx", c.name, got)
		}
		if sent.Load() > most {
			t.Errorf("%s: %d bytes were received before the refusal, want at most %d", c.name, sent.Load(), most)
		}
		t.Logf("%s: refused after %s and %.1f MiB", c.name, time.Since(began).Round(time.Millisecond), float64(sent.Load())/mebibyte)
	}
	wantNo5xx(r)
}
