package trade

import (
	"image"
	"math/rand/v2"
	"testing"

	"khatm/service/internal/fault"
)

// A clean copy can be larger than what was handed in, because it is written
// without the sender's tricks. Noise stands in for it.
func TestACleanCopyIsNotLargerThanItsBound(t *testing.T) {
	for _, c := range []struct {
		name  string
		side  int
		right bool
	}{
		{"below", 1_400, true},
		{"above", 1_700, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			img := image.NewNRGBA(image.Rect(0, 0, c.side, c.side))
			random := rand.New(rand.NewPCG(1, 2))
			for i := range img.Pix {
				if img.Pix[i] = 255; i%4 < 3 {
					img.Pix[i] = byte(random.Uint32())
				}
			}
			got, err := encode(img, false)
			if (err == nil) != c.right || err != nil && fault.KindOf(err) != fault.Invalid {
				t.Errorf("%d bytes: %v", len(got.Bytes), err)
			}
		})
	}
}
