package authority_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/authority"
	"khatm/service/internal/device"
)

// certifications are the three requests for a certificate.
var certifications = []struct {
	name string
	ask  func(*authority.Client) (device.CSID, error)
}{
	{"compliance", func(c *authority.Client) (device.CSID, error) { return c.Compliance(context.Background(), "csr", otp) }},
	{"production", func(c *authority.Client) (device.CSID, error) {
		return c.Production(context.Background(), credentials, "17")
	}},
	{"renewal", func(c *authority.Client) (device.CSID, error) {
		return c.Renew(context.Background(), credentials, "csr", otp)
	}},
}

// TestGoldenCertificateAnswers tests every combination of request, status and
// body over HTTP. A refusal ends the onboarding of a device, so it needs a
// complete message; silence changes nothing.
func TestGoldenCertificateAnswers(t *testing.T) {
	paths, err := filepath.Glob("testdata/certificates/*")
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	for _, way := range certifications {
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, status := range []int{200, 202, 303, 400, 401, 403, 404, 406, 428, 429, 500, 503} {
				csid, err := way.ask(hostile(t, status, text, nil).client)
				fmt.Fprintf(&table, "%-10s %3d %-32s %s\n", way.name, status, filepath.Base(path), summary(t, csid, err))
			}
		}
	}
	testtool.Golden(t, *update, "testdata/certificates.txt", table.Bytes())
}

func summary(t *testing.T, csid device.CSID, err error) string {
	t.Helper()
	var refusal *device.Refusal
	var silent *device.Silence
	for _, secret := range []string{"739125", "secret-canary", "c2VjcmV0LWNhbmFyeQ=="} {
		if err != nil && strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), secret) {
			t.Errorf("the error contains %s: %v", secret, err)
		}
	}
	switch {
	case err == nil && csid.Checks:
		return "checks " + csid.RequestID + " " + csid.Token
	case err == nil:
		return "certificate " + csid.RequestID + " " + csid.Token
	case errors.As(err, &refusal):
		return "refused: " + refusal.Code + ": " + refusal.Message
	case errors.As(err, &silent):
		return "silence: " + silent.Reason
	}
	t.Errorf("error %v is neither a *device.Refusal nor a *device.Silence", err)
	return ""
}

func TestCertificateAnswer(t *testing.T) {
	text, err := os.ReadFile("testdata/certificates/issued.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := certifications[0].ask(hostile(t, http.StatusOK, text, nil).client)
	if err != nil {
		t.Fatal(err)
	}
	if got.RequestID != "1234567890123" || got.Token != "VE9LRU4=" || got.Secret.Reveal() != "c2VjcmV0LWNhbmFyeQ==" || got.Checks {
		t.Errorf("certificate = %+v, want that of issued.json", got)
	}
}
