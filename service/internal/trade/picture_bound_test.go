package trade

import (
	"image"
	"math/rand/v2"
	"testing"

	"khatm/service/internal/fault"
)

// A cleaned copy can be larger than the upload, because it is encoded
// differently. The test uses noise for that.
func TestCleanCopyIsLimited(t *testing.T) {
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
				t.Errorf("cleaned copy of %d bytes: %v, want ok: %t", len(got.Bytes), err, c.right)
			}
		})
	}
}
