package paper_test

import (
	"flag"
	"testing"

	"khatm/internal/testtool"
	"khatm/paper"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGoldenSaid compares the texts of each kind of document with the golden files.
// Review changed golden files before committing them.
func TestGoldenSaid(t *testing.T) {
	cases := []struct {
		sample   string
		language paper.Language
	}{
		{"credit", paper.Bilingual},
		{"credit", paper.Arabic},
		{"credit", paper.English},
		{"till", paper.Bilingual},
		{"rounding-down", paper.English},
		{"several-originals", paper.Bilingual},
		{"381-simplified-s15-sar", paper.Arabic},
		{"383-standard-s15-e-o-usd-discount", paper.Bilingual},
		{"386-standard-s15-sar", paper.English},
		{"388-export-z32-usd-discount", paper.Bilingual},
		{"388-standard-all-usd-advance-two-rates", paper.English},
		{"388-simplified-VATEX-SA-EDU", paper.Bilingual},
		{"difficult-texts", paper.English},
		{"shelf-prices", paper.Bilingual},
	}
	for _, c := range cases {
		name := c.sample + "." + string(c.language)
		t.Run(name, func(t *testing.T) {
			got, err := paper.Said(sealed(t, facts(t, c.sample)).XML, paper.Options{Language: c.language})
			if err != nil {
				t.Fatal(err)
			}
			file := "testdata/" + name + ".txt"
			testtool.Golden(t, *update, file, []byte(got))
		})
	}
}
