package pdfa_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"khatm/pdfa"
)

// corpus returns sheets that cover all features of the writer.
func corpus(tb testing.TB) map[string]sheet {
	all := map[string]sheet{}
	for _, receipt := range []bool{false, true} {
		paper := "a4-"
		if receipt {
			paper = "80mm-"
		}
		add := func(name string, s sheet) {
			s.receipt = receipt
			all[paper+name] = s
		}
		for name, n := range map[string]int{"1": 1, "20": 20, "200": 200} {
			add(name, sampleSheet(n))
		}
		add("prose", proseSheet())
		small := sampleSheet(3)
		small.logo = logo(tb, 200, false)
		add("logo", small)
		small.logo = logo(tb, 1500, true)
		add("photo", small)
		for name, text := range hostile {
			s := sampleSheet(1)
			s.seller, s.buyer = text, text
			s.items = [][2]string{{text, text}, goods[0]}
			add(strings.ReplaceAll("hostile-"+name, " ", "-"), s)
		}
	}
	return all
}

// TestCorpus draws every sheet twice and compares the bytes. If PDFA_OUT is set, it
// writes the files to that folder, for validation with other programs.
func TestCorpus(t *testing.T) {
	out := os.Getenv("PDFA_OUT")
	for name, s := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			first := s.draw(t, testFonts(t))
			if string(first) != string(s.draw(t, testFonts(t))) {
				t.Error("second drawing gave different bytes, want the same")
			}
			if out == "" {
				return
			}
			if err := os.WriteFile(filepath.Join(out, name+".pdf"), first, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestManyGoroutines checks that concurrent use of Fonts gives the same bytes as
// sequential use.
func TestManyGoroutines(t *testing.T) {
	f, err := pdfa.NewFonts(32 << 10) // so small that words are evicted all the time
	if err != nil {
		t.Fatal(err)
	}
	want := sampleSheet(20).draw(t, f)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				if got := sampleSheet(20).draw(t, f); string(got) != string(want) {
					t.Error("concurrent drawing gave different bytes, want the same")
				}
			}
		})
	}
	all.Wait()
}

func proseSheet() sheet {
	s := sampleSheet(10)
	for _, p := range prose {
		s.items = append(s.items, [2]string{p, "prose"})
	}
	return s
}
