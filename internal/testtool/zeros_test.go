package testtool_test

import (
	"compress/zlib"
	"io"
	"strings"
	"testing"

	"khatm/internal/testtool"
)

// The decompressor verifies the checksum.
func TestZeros(t *testing.T) {
	for _, mebibytes := range []int{0, 1, 3} {
		packed := testtool.Zeros(mebibytes)
		if len(packed) > 2000*mebibytes+100 {
			t.Errorf("Zeros(%d) has %d bytes, want about a thousandth of its content", mebibytes, len(packed))
		}
		r, err := zlib.NewReader(strings.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != strings.Repeat("\x00", mebibytes<<20) {
			t.Errorf("Zeros(%d) contains %d bytes, %v; want as many zeros", mebibytes, len(got), err)
		}
	}
}
