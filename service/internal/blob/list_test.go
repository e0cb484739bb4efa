package blob_test

import (
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/blob"
)

func TestList(t *testing.T) {
	d, err := blob.OpenDisk(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() //nolint:errcheck // a test
	for _, key := range []string{"trail/head", "pdf/a/b.pdf", "org/1/logo/x", "org/1/item/y"} {
		if _, err := d.Put(t.Context(), key, strings.NewReader(key), 100); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ except, want []string }{
		{nil, []string{"org/1/item/y", "org/1/logo/x", "pdf/a/b.pdf", "trail/head"}},
		{[]string{"pdf"}, []string{"org/1/item/y", "org/1/logo/x", "trail/head"}},
	} {
		got, err := d.List(t.Context(), c.except...)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("List except %v = %v, %v, want %v", c.except, got, err, c.want)
		}
	}
}
