package testtool_test

import (
	"runtime"
	"testing"

	"khatm/internal/testtool"
)

// ending records how a test ended instead of ending this one.
type ending struct {
	testing.TB
	how string
}

func (e *ending) Helper() {}

func (e *ending) Fatal(...any) { e.end("failed") }

func (e *ending) Skip(...any) { e.end("skipped") }

func (e *ending) end(how string) {
	e.how = how
	runtime.Goexit()
}

func TestPath(t *testing.T) {
	const absent = "khatm-no-such-program"
	cases := []struct {
		name, program, strict, onlyGo, want string
	}{
		{"installed", "go", "", "", "found"},
		{"missing", absent, "", "", "skipped"},
		{"missing, strict", absent, "1", "", "failed"},
		{"installed, only Go", "go", "", "1", "skipped"},
		{"installed, only Go, strict", "go", "1", "1", "failed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("KHATM_STRICT", c.strict)
			t.Setenv("KHATM_ONLY_GO", c.onlyGo)
			got := &ending{TB: t}
			done := make(chan struct{})
			go func() {
				defer close(done)
				if testtool.Path(got, c.program) != "" {
					got.how = "found"
				}
			}()
			<-done
			if got.how != c.want {
				t.Errorf("Path: %s, want %s", got.how, c.want)
			}
		})
	}
}

func TestAll(t *testing.T) {
	cases := []struct {
		all, torture string
		want         bool
	}{
		{"", "", false},
		{"1", "", true},
		{"", "1", true},
		{"0", "0", false},
	}
	for _, c := range cases {
		t.Setenv("KHATM_ALL", c.all)
		t.Setenv("KHATM_TORTURE", c.torture)
		if got := testtool.All(); got != c.want {
			t.Errorf("All with KHATM_ALL=%q and KHATM_TORTURE=%q: %v, want %v", c.all, c.torture, got, c.want)
		}
	}
}
