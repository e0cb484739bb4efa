package pdfa

import (
	"bytes"
	"testing"
)

// TestPredictors checks that each type of predictor is undone.
func TestPredictors(t *testing.T) {
	want := make([]byte, 24*7)
	for i := range want {
		want[i] = byte(i * i / 5)
	}
	for _, step := range []int{1, 3, 4} {
		for kind := range byte(5) {
			got, err := undoPNG(predictPNG(want, 24, step, kind), 24, step)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("PNG predictor %d with %d bytes per pixel: got %v, %v; want %v", kind, step, got, err, want)
			}
		}
		tiff := bytes.Clone(want)
		for row := 0; row < len(tiff); row += 24 {
			for i := 23; i >= step; i-- {
				tiff[row+i] -= tiff[row+i-step]
			}
		}
		if got, err := undoTIFF(tiff, 24, step, nil); err != nil || !bytes.Equal(got, want) {
			t.Errorf("TIFF predictor with %d bytes per pixel: got %v, %v; want %v", step, got, err, want)
		}
	}
}

func predictPNG(data []byte, row, step int, kind byte) []byte {
	var out []byte
	above := make([]byte, row)
	for ; len(data) > 0; data = data[row:] {
		out = append(out, kind)
		for i, v := range data[:row] {
			var left, corner byte
			if i >= step {
				left, corner = data[i-step], above[i-step]
			}
			out = append(out, v-[]byte{0, left, above[i], byte((int(left) + int(above[i])) / 2), paeth(left, above[i], corner)}[kind])
		}
		above = data[:row]
	}
	return out
}
