package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"khatm/service/admin"
)

// khatm clock release prints what was released before it returns an error.
func TestClockReleaseFailsHalfway(t *testing.T) {
	failure := errors.New("the disk is full")
	var out, said bytes.Buffer
	err := clockRelease{All: true}.show(&console{out: &out, err: &said}, []admin.Ahead{{Series: "INV", Year: 2028}}, failure)
	if !errors.Is(err, failure) || !strings.Contains(out.String(), "series INV") {
		t.Errorf("one release and an error: printed %q and returned %v, want the series and the error", out.String(), err)
	}
	out.Reset()
	if err := (clockRelease{All: true}).show(&console{out: &out, err: &said}, nil, failure); !errors.Is(err, failure) || out.Len()+said.Len() > 0 {
		t.Errorf("only an error: printed %q and %q and returned %v, want only the error", out.String(), said.String(), err)
	}
}
