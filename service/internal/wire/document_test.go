package wire_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"khatm/service/internal/wire"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func shopInfo() wire.Info {
	return wire.Info{
		Title: "Tea shop", Version: "1.3.0", Description: "Teas, and pictures of them. شاي", License: "Apache-2.0",
		Tags: []wire.Tag{{Name: "Teas", Description: "What is sold."}, {Name: "Pictures", Description: "What it looks like."}, {Name: "Nothing", Description: "A chapter without operations."}},
	}
}

func shopDocument(t *testing.T) []byte {
	t.Helper()
	document, err := wire.Document(shopInfo(), "https://example.com/v1", shop())
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs from the document; run make golden and review the difference (-want +got):\n%s", path, diff)
	}
}

func TestGoldenDocument(t *testing.T) {
	document := shopDocument(t)
	golden(t, "shop-3.1.json", document)
	if again := shopDocument(t); !bytes.Equal(document, again) {
		t.Error("two documents of the same routes differ")
	}
	read, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Validate(context.Background()); err != nil {
		t.Error(err)
	}
	if bytes.Contains(document, []byte("drop-teas")) || bytes.Contains(document, []byte("422")) {
		t.Error("the document contains a hidden route or a status that is never returned")
	}
}

func TestGoldenDowngrade(t *testing.T) {
	old, err := wire.Downgrade(shopDocument(t))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "shop-3.0.json", old)
	read, err := openapi3.NewLoader().LoadFromData(old)
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
	for _, word := range []string{`"null"`, `"const"`, `"contentMediaType"`, `"identifier"`} {
		if strings.Contains(string(old), word) {
			t.Errorf("the 3.0 document contains %s, which is not in OpenAPI 3.0", word)
		}
	}
	if _, err := wire.Downgrade([]byte(`[]`)); err == nil {
		t.Error("Downgrade accepted a JSON array")
	}
}
