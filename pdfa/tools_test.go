package pdfa_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
)

func TestQPDFAcceptsFiles(t *testing.T) {
	qpdf := testtool.Path(t, "qpdf")
	all := corpus(t)
	for n, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name]
		if n%testtool.Scale(3, 1, 1) != 0 {
			continue
		}
		if strings.HasPrefix(name, "80mm-hostile") && !testtool.Torture() {
			continue // these texts are checked on A4, and this paper with other texts
		}
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sheet.pdf")
			if err := os.WriteFile(path, s.draw(t, testFonts(t)), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(qpdf, "--check", path).CombinedOutput(); err != nil {
				t.Errorf("qpdf --check: %v: %s", err, out)
			}
			got, err := exec.Command(qpdf, "--show-attachment=310122393500003_20261115T140522_INV-2026-000123.xml", path).Output()
			if err != nil || !bytes.Equal(got, s.xml) {
				t.Errorf("qpdf extracted %d bytes, want the %d bytes of the embedded file (error: %v)", len(got), len(s.xml), err)
			}
		})
	}
}

// arabicWord matches an Arabic word with its marks.
var arabicWord = regexp.MustCompile(`[\x{0621}-\x{0652}\x{0670}]+`)

// TestPdftotextReadsText checks that pdftotext finds the Arabic words of a page,
// including their marks.
func TestPdftotextReadsText(t *testing.T) {
	pdftotext := testtool.Path(t, "pdftotext")
	read := exec.Command(pdftotext, "-enc", "UTF-8", "-", "-")
	read.Stdin = bytes.NewReader(proseSheet().draw(t, testFonts(t)))
	text, err := read.Output()
	if err != nil {
		t.Fatal(err)
	}
	var drawn strings.Builder
	drawn.WriteString(sellerName + buyerName)
	for _, item := range proseSheet().items {
		drawn.WriteString(" " + item[0])
	}
	known := map[string]bool{}
	for _, w := range arabicWord.FindAllString(string(text), -1) {
		known[w] = true
	}
	words := arabicWord.FindAllString(drawn.String(), -1)
	var missing []string
	for _, w := range words {
		if !known[w] {
			missing = append(missing, w)
		}
	}
	if len(words) < 200 || len(missing)*100 > len(words) {
		t.Errorf("%d of %d words are missing, want at most 1%% of at least 200: %q", len(missing), len(words), missing)
	}
	for _, latin := range []string{"Dell Latitude 7450 laptop 16GB/512GB", "Tax Invoice", "24,318.50"} {
		if !strings.Contains(string(text), latin) {
			t.Errorf("text of the page lacks %q", latin)
		}
	}
}
