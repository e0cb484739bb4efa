package paper_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/paper"
)

// TestCodeScans checks that zbarimg reads the QR code of the document from an image of
// the page with 150 dpi.
func TestCodeScans(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	painter := filepath.Join(filepath.Dir(reader), "pdftoppm") // of the same package
	scanner := testtool.Path(t, "zbarimg")
	for k, kind := range []string{"difficult-texts", "till", "credit", "388-export-z32-usd-discount"}[:testtool.Count(2, 4)] {
		document := sealed(t, facts(t, kind))
		for p, on := range papers {
			if p != k%2 && !testtool.Torture() {
				continue // one kind on each paper size
			}
			t.Run(kind+"/"+string(on), func(t *testing.T) {
				folder := t.TempDir()
				file := filepath.Join(folder, "page.pdf")
				if err := os.WriteFile(file, draw(t, document.XML, paper.Options{Paper: on}), 0o644); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command(painter, "-r", "150", "-gray", "-png", "-f", "1", "-l", "1", "-singlefile", file, filepath.Join(folder, "page")).CombinedOutput(); err != nil {
					t.Fatalf("pdftoppm: %v: %s", err, out)
				}
				got, err := exec.Command(scanner, "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", filepath.Join(folder, "page.png")).Output()
				if err != nil {
					t.Fatal(err)
				}
				if strings.TrimSuffix(string(got), "\n") != document.QR {
					t.Errorf("zbarimg read %q, want %q", got, document.QR)
				}
			})
		}
	}
}

// word matches a number, or a word without marks.
var word = regexp.MustCompile(`[0-9][0-9,.:-]*[0-9]|[\x{0621}-\x{064A}]{2,}|[A-Za-z]{2,}`)

// TestPagesContainEveryText checks that pdftotext finds all texts of the content on the
// pages.
func TestPagesContainEveryText(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for k, kind := range kinds {
		document := sealed(t, facts(t, kind)).XML
		for l, language := range languages {
			for p, on := range papers {
				if (k+l+p)%testtool.Scale(4, 2, 1) > 0 {
					continue // drawn by TestDrawEveryKind
				}
				t.Run(strings.Join([]string{kind, string(language), string(on)}, "/"), func(t *testing.T) {
					o := paper.Options{Language: language, Paper: on, Test: true}
					said, err := paper.Said(document, o)
					if err != nil {
						t.Fatal(err)
					}
					read := exec.Command(reader, "-enc", "UTF-8", "-", "-")
					read.Stdin = bytes.NewReader(draw(t, document, o))
					text, err := read.Output()
					if err != nil {
						t.Fatal(err)
					}
					missing := missingWords(said, string(text), on, bytes.Contains(document, []byte(`name="02`)))
					if len(missing) > 0 {
						t.Errorf("the page lacks the words %q", missing)
					}
				})
			}
		}
	}
}

// missingWords returns the words of said that are not in read. White space is ignored,
// because words may be broken into lines. A roll has neither the fine print nor units
// in two languages, and for a simplified invoice no net amounts.
func missingWords(said, read string, on paper.Paper, simplified bool) []string {
	read = strings.Join(strings.Fields(read), "")
	var missing []string
	for line := range strings.Lines(said) {
		key, _, _ := strings.Cut(line, ":")
		switch {
		case key == "file", key == "code", on == paper.Roll80 && (key == "trail" || key == "unit"):
			continue
		case key == "split" && on == paper.Roll80 && simplified:
			continue
		}
		for _, w := range word.FindAllString(line[len(key):], -1) {
			if !strings.Contains(read, w) {
				missing = append(missing, w)
			}
		}
	}
	return missing
}
