package s3

import (
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/encrypt"
)

func TestParseAddress(t *testing.T) {
	cases := []struct {
		text string
		want Address
	}{
		{"s3://b/p/q/?region=me-central-1", Address{Bucket: "b", Prefix: "p/q/", Endpoint: "s3.me-central-1.amazonaws.com", Region: "me-central-1"}},
		{"s3://b?endpoint=https://s3.example.com:9000", Address{Bucket: "b", Endpoint: "s3.example.com:9000"}},
		{"s3://b?endpoint=http://127.0.0.1:7070", Address{Bucket: "b", Endpoint: "127.0.0.1:7070", Plain: true}},
		{"s3://b?endpoint=http://localhost:7070/", Address{Bucket: "b", Endpoint: "localhost:7070", Plain: true}},
		{"s3://b?endpoint=http://[::1]:7070", Address{Bucket: "b", Endpoint: "[::1]:7070", Plain: true}},
		{"s3://b?region=r&lock=governance", Address{Bucket: "b", Endpoint: "s3.r.amazonaws.com", Region: "r", Lock: minio.Governance, Retain: 2557 * 24 * time.Hour}},
		{"s3://b?region=r&lock=compliance&retain-days=1", Address{Bucket: "b", Endpoint: "s3.r.amazonaws.com", Region: "r", Lock: minio.Compliance, Retain: 24 * time.Hour}},
	}
	for _, c := range cases {
		if got, err := Parse(c.text, "archive"); err != nil || got != c.want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", c.text, got, err, c.want)
		}
	}
	for name, want := range map[string]encrypt.Type{"AES256": encrypt.S3, "aws:kms&kms-key=k": encrypt.KMS} {
		a, err := Parse("s3://b?region=r&encryption="+name, "archive")
		if err != nil || a.Encryption == nil || a.Encryption.Type() != want {
			t.Errorf("encryption %s: %+v, %v; want %s", name, a.Encryption, err, want)
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
		_, err := Parse(text, "archive")
		if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "archive") {
			t.Errorf("Parse(%q): %v", text, err)
		}
	}
}
