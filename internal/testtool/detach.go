package testtool

import (
	"fmt"
	"regexp"
	"testing"
)

// The parts of a PDF of package pdfa that an update must know.
var (
	embeddedFile = regexp.MustCompile(`(\d+) 0 obj\s*<<[^>]*?/Type/EmbeddedFile`)
	rootOf       = regexp.MustCompile(`/Root (\d+ \d+ R)`)
	sizeOf       = regexp.MustCompile(`/Size (\d+)`)
	startOf      = regexp.MustCompile(`startxref\s+(\d+)\s+%%EOF\s*$`)
)

// Detached returns a PDF of package pdfa with an update that removes its embedded
// file, as other programs do when they save it.
func Detached(tb testing.TB, pdf []byte) []byte {
	tb.Helper()
	var found [4]string
	for i, pattern := range []*regexp.Regexp{embeddedFile, rootOf, sizeOf, startOf} {
		m := pattern.FindSubmatch(pdf)
		if m == nil {
			tb.Fatalf("the PDF lacks %s", pattern)
		}
		found[i] = string(m[1])
	}
	out := append(append([]byte(nil), pdf...), '\n')
	object := len(out)
	out = fmt.Appendf(out, "%s 0 obj\nnull\nendobj\n", found[0])
	table := len(out)
	return fmt.Appendf(out, "xref\n%s 1\n%010d 00000 n \ntrailer\n<</Size %s/Root %s/Prev %s>>\nstartxref\n%d\n%%%%EOF\n", found[0], object, found[2], found[1], found[3], table)
}
