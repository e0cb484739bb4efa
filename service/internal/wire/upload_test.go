package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

type oneFile struct {
	File *wire.Upload `file:"file" required:"true" maxBytes:"2048"`
}

func show(_ context.Context, _ wire.Caller, in *oneFile) (*seen, error) {
	return &seen{Files: []string{in.File.Filename + ":" + in.File.Field}}, nil
}

// publicForm is a public route that accepts a file.
var publicForm = wire.Serve(wire.Route{Method: http.MethodPost, Path: "/show/", Access: wire.Public, Strict: true, MaxBody: 4096}, show)

func bound(t *testing.T, row wire.Route, length func(*http.Request), pieces ...piece) (*oneFile, *fault.Error) {
	t.Helper()
	media, body := form(t, pieces...)
	r := httptest.NewRequest(http.MethodPost, "/show/", strings.NewReader(body))
	r.Header.Set("Content-Type", media)
	if length != nil {
		length(r)
	}
	in, err := wire.Bind(r, row)
	var wrong *fault.Error
	if err != nil && !errors.As(err, &wrong) {
		t.Fatal(err)
	}
	read, _ := in.(*oneFile)
	return read, wrong
}

func TestUploadAboveItsLimitOnPublicRoute(t *testing.T) {
	t.Parallel()
	file := func(size int) piece { return piece{"file", "a.xml", strings.Repeat("x", size)} }
	untold := func(r *http.Request) { r.ContentLength = -1 }
	cases := []struct {
		name   string
		length func(*http.Request)
		pieces []piece
		large  bool
	}{
		{"at the limit", nil, []piece{file(2048)}, false},
		{"at the limit, length unknown", untold, []piece{file(2048)}, false},
		{"one byte more", nil, []piece{file(2049)}, true},
		{"one byte more, length unknown", untold, []piece{file(2049)}, true},
		{"larger than the form may be", nil, []piece{file(5000)}, true},
		{"larger than the form may be, length unknown", untold, []piece{file(5000)}, true},
		{"another part larger than the form may be", untold, []piece{{"x", "", strings.Repeat("x", 5000)}, file(1)}, true},
		{"a Content-Length that is too large", func(r *http.Request) { r.ContentLength = 1 << 50 }, []piece{file(1)}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			read, wrong := bound(t, publicForm, c.length, c.pieces...)
			if !c.large {
				if wrong != nil || len(read.File.Bytes) != 2048 {
					t.Errorf("error = %v, want none", wrong)
				}
				return
			}
			const want = "The file is too large: 2048 bytes maximum."
			if wrong == nil || wrong.Fields["detail"] != want || wrong.Message != "" || wrong.Kind() != fault.Invalid {
				t.Errorf("error = %v, want detail %q", wrong, want)
			}
		})
	}
}

func TestUploadOfAnySizeIsReadCompletely(t *testing.T) {
	t.Parallel()
	row := wire.Serve(wire.Route{Method: http.MethodPost, Path: "/show/"}, func(context.Context, wire.Caller, *pictureTea) (*seen, error) { return &seen{}, nil })
	for _, size := range []int{0, 1, 4095, 4096, 4097, 32767, 32768, 32769, 262144, 262145, 3 << 20} {
		content := strings.Repeat("0123456", size/7+1)[:size]
		media, body := form(t, teaData, piece{"front", "a.bin", content})
		for _, told := range []bool{true, false} {
			r := httptest.NewRequest(http.MethodPost, "/show/", strings.NewReader(body))
			r.Header.Set("Content-Type", media)
			if !told {
				r.ContentLength = -1
			}
			in, err := wire.Bind(r, row)
			if err != nil {
				t.Fatal(err)
			}
			read, _ := in.(*pictureTea)
			if len(read.Others) != 1 || string(read.Others[0].Bytes) != content {
				t.Errorf("file of %d bytes, Content-Length sent %t: the content differs from what was sent", size, told)
			}
		}
	}
}

// TestUploadTakesRoomForWhatCame checks that a form with a large Content-Length and
// little content uses little memory.
func TestUploadTakesRoomForWhatCame(t *testing.T) {
	row := wire.Serve(wire.Route{Method: http.MethodPost, Path: "/show/", MaxBody: 64 << 20}, func(context.Context, wire.Caller, *pictureTea) (*seen, error) { return &seen{}, nil })
	media, body := form(t, teaData, piece{"front", "a.bin", strings.Repeat("x", 10_000)})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 10 {
		r := httptest.NewRequest(http.MethodPost, "/show/", io.NopCloser(strings.NewReader(body)))
		r.Header.Set("Content-Type", media)
		r.ContentLength = 64 << 20
		if _, err := wire.Bind(r, row); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / 10; each > 256<<10 {
		t.Errorf("a file of 10,000 bytes allocated %d bytes, want at most 256 KiB", each)
	}
}
