package archive

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/encrypt"
)

func TestParseAddress(t *testing.T) {
	cases := []struct {
		text string
		want address
	}{
		{"s3://b/p/q/?region=me-central-1", address{bucket: "b", prefix: "p/q/", endpoint: "s3.me-central-1.amazonaws.com", region: "me-central-1"}},
		{"s3://b?endpoint=https://s3.example.com:9000", address{bucket: "b", endpoint: "s3.example.com:9000"}},
		{"s3://b?endpoint=http://127.0.0.1:7070", address{bucket: "b", endpoint: "127.0.0.1:7070", plain: true}},
		{"s3://b?endpoint=http://localhost:7070/", address{bucket: "b", endpoint: "localhost:7070", plain: true}},
		{"s3://b?endpoint=http://[::1]:7070", address{bucket: "b", endpoint: "[::1]:7070", plain: true}},
		{"s3://b?region=r&lock=governance", address{bucket: "b", endpoint: "s3.r.amazonaws.com", region: "r", lock: minio.Governance, retain: 2557 * 24 * time.Hour}},
		{"s3://b?region=r&lock=compliance&retain-days=1", address{bucket: "b", endpoint: "s3.r.amazonaws.com", region: "r", lock: minio.Compliance, retain: 24 * time.Hour}},
	}
	for _, c := range cases {
		if got, err := parseAddress(c.text); err != nil || got != c.want {
			t.Errorf("parseAddress(%q) = %+v, %v; want %+v", c.text, got, err, c.want)
		}
	}
	for name, want := range map[string]encrypt.Type{"AES256": encrypt.S3, "aws:kms&kms-key=k": encrypt.KMS} {
		a, err := parseAddress("s3://b?region=r&encryption=" + name)
		if err != nil || a.encryption == nil || a.encryption.Type() != want {
			t.Errorf("encryption %s: %+v, %v; want %s", name, a.encryption, err, want)
		}
	}
}

// Invalid addresses are refused, and the error does not repeat a secret.
func TestInvalidAddresses(t *testing.T) {
	for _, text := range []string{
		"s3://key:secret@b?region=r",
		"s3://b?region=r&secret=secret",
		"s3://b?region=r&region=secret",
		"s3://b?endpoint=https://key:secret@host",
		"s3://b?endpoint=https://host/secret",
		"s3://b?endpoint=secret",
		"s3://b?endpoint=http://secret.example.com",
		"s3://b?endpoint=http://10.0.0.1",
		"s3://b?region=r#secret",
		"s3://b?region=%zzsecret",
		"s3://b\x7fsecret",
		"s3:secret",
		"s3://",
		"s3://b",
		"s3://b?region=r&encryption=secret",
		"s3://b?region=r&lock=secret",
		"s3://b?region=r&retain-days=1",
		"s3://b?region=r&lock=governance&retain-days=0",
		"s3://b?region=r&lock=governance&retain-days=secret",
	} {
		_, err := parseAddress(text)
		if !errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "secret") {
			t.Errorf("parseAddress(%q): %v", text, err)
		}
	}
}
