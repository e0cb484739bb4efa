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

// TestCodeScans has a scanner read the QR code from a picture of the page at
// 150 dots an inch: it is that of the document.
func TestCodeScans(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	painter := filepath.Join(filepath.Dir(reader), "pdftoppm") // of the same package
	scanner := testtool.Path(t, "zbarimg")
	for _, kind := range []string{"difficult-texts", "till", "credit", "388-export-z32-usd-discount"}[:testtool.Count(2, 4)] {
		document := sealed(t, facts(t, kind))
		for _, on := range papers {
			t.Run(kind+"/"+string(on), func(t *testing.T) {
				folder := t.TempDir()
				file := filepath.Join(folder, "page.pdf")
				if err := os.WriteFile(file, draw(t, document.XML, paper.Options{Paper: on}), 0o644); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command(painter, "-r", "150", "-gray", "-png", "-f", "1", "-l", "1", "-singlefile", file, filepath.Join(folder, "page")).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				got, err := exec.Command(scanner, "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", filepath.Join(folder, "page.png")).Output()
				if err != nil {
					t.Fatal(err)
				}
				if strings.TrimSuffix(string(got), "\n") != document.QR {
					t.Errorf("read as %q", got)
				}
			})
		}
	}
}

// word is a number, or a word without marks, of what a page says.
var word = regexp.MustCompile(`[0-9][0-9,.:-]*[0-9]|[\x{0621}-\x{064A}]{2,}|[A-Za-z]{2,}`)

// TestPagesSayEverything has a program that is not ours read the pages: what
// there is to be said stands on them.
func TestPagesSayEverything(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	for k, kind := range kinds {
		document := sealed(t, facts(t, kind)).XML
		for l, language := range languages {
			for p, on := range papers {
				if (k+l+p)%2 > 0 && !testtool.Torture() {
					continue // each kind in each language, on one paper
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
						t.Errorf("not on the page: %q", missing)
					}
				})
			}
		}
	}
}

// missingWords are words that are said and not read. White space does not
// count, since words may be broken over lines. A roll has no room for the fine
// print and units in two languages; a consumer wants no net amounts.
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
