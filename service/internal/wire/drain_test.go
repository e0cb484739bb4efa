package wire_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// tooLong is the size of a body that is refused, larger than what the buffers of
// a connection hold.
const tooLong = 16 << 20

// TestBodyOverItsLimitIsAnswered sends bodies over their limit with a client that
// writes everything before it reads, as most clients do.
func TestBodyOverItsLimitIsAnswered(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, func(c *server.Config) { c.Rates.PublicDaily = 100 })
	for name, head := range map[string]string{
		"JSON with a key":      "POST /v1/api/invoices/ HTTP/1.1\r\nHost: khatm\r\nAuthorization: Bearer " + r.Key + "\r\nContent-Type: application/json\r\n",
		"JSON without a key":   "POST /v1/api/invoices/ HTTP/1.1\r\nHost: khatm\r\nContent-Type: application/json\r\n",
		"form with a key":      "POST /v1/api/items/ HTTP/1.1\r\nHost: khatm\r\nAuthorization: Bearer " + r.Key + "\r\nContent-Type: multipart/form-data; boundary=b\r\n",
		"file of a tool":       "POST /v1-3/api/public/parse-invoice/ HTTP/1.1\r\nHost: khatm\r\nContent-Type: multipart/form-data; boundary=b\r\n",
		"JSON of a tool":       "POST /v1-3/api/public/calculate-vat/ HTTP/1.1\r\nHost: khatm\r\nContent-Type: application/json\r\n",
		"a path that is wrong": "POST /v1/api/nothing/ HTTP/1.1\r\nHost: khatm\r\nContent-Type: application/json\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn := r.Dial()
			request := head + fmt.Sprintf("Content-Length: %d\r\nConnection: close\r\n\r\n", tooLong)
			if _, err := io.WriteString(conn, request); err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(conn, bytes.NewReader(make([]byte, tooLong))); err != nil {
				t.Fatalf("the connection ended after %d of %d bytes: %v", n, tooLong, err)
			}
			got, err := io.ReadAll(conn)
			if err != nil || !bytes.HasPrefix(got, []byte("HTTP/1.1 4")) || !bytes.Contains(got, []byte(`"code":`)) {
				t.Errorf("response %.300s, %v; want an error with a code", got, err)
			}
		})
	}
}

// TestExpectContinueIsRefusedBeforeTheBody checks that a client that waits for
// 100 Continue gets the response without sending the body.
func TestExpectContinueIsRefusedBeforeTheBody(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, nil)
	conn := r.Dial()
	head := "POST /v1/api/invoices/ HTTP/1.1\r\nHost: khatm\r\nAuthorization: Bearer " + r.Key +
		fmt.Sprintf("\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: %d\r\n\r\n", tooLong)
	if _, err := io.WriteString(conn, head); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(conn)
	if err != nil || !bytes.HasPrefix(got, []byte("HTTP/1.1 400")) {
		t.Errorf("response %.200s, %v; want 400 and no 100 Continue", got, err)
	}
}

// clients are programs that post a file to a URL and print the status and the
// body of the response.
var clients = map[string]struct {
	find func() (string, error)
	args func(url, file, key string) []string
}{
	"curl": {func() (string, error) { return testtool.Find("curl") }, func(url, file, key string) []string {
		return []string{"-sS", "-X", "POST", "-H", "Authorization: Bearer " + key, "-H", "Content-Type: application/json", "-H", "Expect:", "--data-binary", "@" + file, "-w", "%{http_code}", url}
	}},
	"python urllib": {func() (string, error) { return testtool.Find("python3") }, func(url, file, key string) []string {
		return []string{"-c", `
import sys, urllib.request, urllib.error
url, file, key = sys.argv[1:]
r = urllib.request.Request(url, open(file, "rb").read(), {"Authorization": "Bearer " + key, "Content-Type": "application/json"})
try:
    urllib.request.urlopen(r)
except urllib.error.HTTPError as e:
    print(e.read().decode(), e.code)`, url, file, key}
	}},
	"python requests": {func() (string, error) { return testtool.Find("python3") }, func(url, file, key string) []string {
		return []string{"-c", `
import sys
try:
    import requests
except ImportError:
    print("skip")
    sys.exit()
url, file, key = sys.argv[1:]
a = requests.post(url, data=open(file, "rb").read(), headers={"Authorization": "Bearer " + key, "Content-Type": "application/json"})
print(a.text, a.status_code)`, url, file, key}
	}},
	"node": {func() (string, error) { return testtool.Find("node") }, func(url, file, key string) []string {
		return []string{"-e", `
const [url, file, key] = process.argv.slice(1);
fetch(url, {method: "POST", body: require("fs").readFileSync(file), headers: {"Authorization": "Bearer " + key, "Content-Type": "application/json"}})
  .then(async a => console.log(await a.text(), a.status));`, url, file, key}
	}},
}

// TestOrdinaryClientsReadTheAnswer sends a body over its limit with those of the
// clients that are installed.
func TestOrdinaryClientsReadTheAnswer(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, nil)
	file := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(file, make([]byte, tooLong), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range clients {
		t.Run(name, func(t *testing.T) {
			program, err := c.find()
			if err != nil {
				t.Skip(err)
			}
			got, err := exec.CommandContext(t.Context(), program, c.args("http://"+r.Address+"/v1/api/invoices/", file, r.Key)...).CombinedOutput()
			if strings.TrimSpace(string(got)) == "skip" {
				t.Skip("requests is not installed")
			}
			if err != nil || !bytes.Contains(got, []byte(`"code":"body_too_large"`)) || !bytes.Contains(got, []byte(fmt.Sprint(http.StatusBadRequest))) {
				t.Errorf("%s prints %.500s, %v; want status 400 and body_too_large", name, got, err)
			}
		})
	}
}
