package admin_test

import (
	"bytes"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"khatm/service/admin"
)

// kept lists the files of an installation.
func kept(t *testing.T, d *desk) []string {
	t.Helper()
	var all []string
	root := filepath.Join(d.config.Data, "files", "org")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			all = append(all, path)
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all
}

func TestLogoIsCleanedReplacedAndTakenAway(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		o := d.organisation("Khatm Trading")
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
			t.Fatal(err)
		}
		hidden := append(bytes.Clone(picture.Bytes()), "hidden behind the end"...)
		set := must[admin.Organisation](t)(d.SetLogo(t.Context(), o.ID.String(), hidden))
		first := kept(t, d)
		if !set.Logo || len(first) != 1 {
			t.Fatalf("logo %v, files %v", set.Logo, first)
		}
		data := must[[]byte](t)(os.ReadFile(first[0]))
		if !bytes.HasPrefix(data, []byte("\x89PNG")) || bytes.Contains(data, []byte("hidden")) {
			t.Errorf("the file is not clean")
		}
		must[admin.Organisation](t)(d.SetLogo(t.Context(), o.ID.String(), picture.Bytes()))
		second := kept(t, d)
		if len(second) != 1 || second[0] == first[0] {
			t.Errorf("after another logo the files are %v", second)
		}
		if _, err := d.SetLogo(t.Context(), o.ID.String(), make([]byte, admin.MaxLogo+1)); err == nil {
			t.Error("a file above the bound was taken")
		}
		if left := kept(t, d); len(left) != 1 || left[0] != second[0] {
			t.Errorf("after a refusal the files are %v", left)
		}
		gone := must[admin.Organisation](t)(d.SetLogo(t.Context(), o.ID.String(), nil))
		if left := kept(t, d); gone.Logo || len(left) != 0 {
			t.Errorf("logo %v, files %v; want none", gone.Logo, left)
		}
	})
}
