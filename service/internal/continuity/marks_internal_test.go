package continuity

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// After a read error no marks are returned. A torn last line is ignored.
func TestUnreadableMarks(t *testing.T) {
	generation := int64(3)
	text, err := encode(line{Generation: &generation})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("input/output error")
	log := io.MultiReader(strings.NewReader(string(text)), iotest.ErrReader(broken))
	if found, err := parseMarks(log); !errors.Is(err, broken) || found != nil {
		t.Errorf("marks with a read error = %+v, %v, want nil, %v", found, err, broken)
	}
	torn := string(text) + "0123"
	if found, err := parseMarks(strings.NewReader(torn)); err != nil || found == nil || found.Generation != 3 {
		t.Errorf("marks with a torn last line = %+v, %v, want generation 3", found, err)
	}
}
