package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"khatm/service/admin"
)

// What was released before a failure is shown with the failure.
func TestClockReleaseThatFailsHalfWay(t *testing.T) {
	failure := errors.New("the disk is full")
	var out, said bytes.Buffer
	err := clockRelease{All: true}.show(&console{out: &out, err: &said}, []admin.Ahead{{Series: "INV", Year: 2028}}, failure)
	if !errors.Is(err, failure) || !strings.Contains(out.String(), "series INV") {
		t.Errorf("printed %q, returned %v", out.String(), err)
	}
	out.Reset()
	if err := (clockRelease{All: true}).show(&console{out: &out, err: &said}, nil, failure); !errors.Is(err, failure) || out.Len()+said.Len() > 0 {
		t.Errorf("printed %q and %q, returned %v", out.String(), said.String(), err)
	}
}
