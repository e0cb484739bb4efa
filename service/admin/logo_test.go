package admin_test

import (
	"bytes"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/service/admin"
)

// kept returns the paths of the files of all organisations.
func kept(t *testing.T, d *installation) []string {
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

func TestSetLogo(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading")
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
			t.Fatal(err)
		}
		hidden := append(bytes.Clone(picture.Bytes()), "hidden behind the end"...)
		set := must[admin.Organisation](t)(d.SetLogo(t.Context(), o.ID.String(), logo(t, hidden)))
		first := kept(t, d)
		if !set.Logo || len(first) != 1 {
			t.Fatalf("after SetLogo: Logo = %v, files %v, want true and one file", set.Logo, first)
		}
		data := must[[]byte](t)(os.ReadFile(first[0]))
		if !bytes.HasPrefix(data, []byte("\x89PNG")) || bytes.Contains(data, []byte("hidden")) {
			t.Errorf("stored logo = %q, want a PNG without the hidden data", data)
		}
		must[admin.Organisation](t)(d.SetLogo(t.Context(), o.ID.String(), logo(t, picture.Bytes())))
		second := kept(t, d)
		if len(second) != 1 || second[0] == first[0] {
			t.Errorf("files after another SetLogo = %v, want one new file", second)
		}
		gone := must[admin.Organisation](t)(d.SetLogo(t.Context(), o.ID.String(), admin.Logo{}))
		if left := kept(t, d); gone.Logo || len(left) != 0 {
			t.Errorf("after the logo was removed: Logo = %v, files %v, want false and no file", gone.Logo, left)
		}
	})
}

func logo(t *testing.T, picture []byte) admin.Logo {
	t.Helper()
	return must[admin.Logo](t)(admin.NewLogo(picture))
}

func TestNewLogoRejects(t *testing.T) {
	for name, c := range map[string]struct {
		picture []byte
		want    string
	}{
		"a text file": {[]byte("text"), "PNG"},
		"empty file":  {nil, "empty"},
		"large file":  {make([]byte, admin.MaxLogo+1), "must have at most"},
	} {
		if _, err := admin.NewLogo(c.picture); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
