package continuity

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Marks that cannot be read to their end are not taken as shorter ones.
func TestMarksThatCannotBeRead(t *testing.T) {
	generation := int64(3)
	text, err := encode(line{Generation: &generation})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("input/output error")
	log := io.MultiReader(strings.NewReader(string(text)), iotest.ErrReader(broken))
	if found, err := parseMarks(log); !errors.Is(err, broken) || found != nil {
		t.Errorf("got %+v, %v", found, err)
	}
	torn := string(text) + "0123"
	if found, err := parseMarks(strings.NewReader(torn)); err != nil || found == nil || found.Generation != 3 {
		t.Errorf("a torn line: %+v, %v", found, err)
	}
}
