package paper_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"khatm/paper"
)

// TestConformancePDF validates PDFs with veraPDF: every type of document, language,
// paper size and length, with and without a logo, with a supplement, and with hostile
// texts.
func TestConformancePDF(t *testing.T) {
	judge := os.Getenv("KHATM_VERAPDF")
	if judge == "" {
		t.Skip("KHATM_VERAPDF is not set; make conformance sets it to a program that validates PDFs")
	}
	logo, err := press(t).Logo(mark(t, 400, 120))
	if err != nil {
		t.Fatal(err)
	}
	photo, err := press(t).Logo(photograph(t, 300, 200))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	groups := map[string]int{}
	keep := func(group, name string, document []byte, o paper.Options) {
		groups[group]++
		file := strings.NewReplacer(" ", "-", ",", "", "/", "-").Replace(fmt.Sprintf("%s-%s-%s-%s.pdf", group, name, o.Language, o.Paper))
		if err := os.WriteFile(filepath.Join(folder, file), draw(t, document, o), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for n, kind := range kinds {
		document := sealed(t, facts(t, kind)).XML
		for _, language := range languages {
			for _, on := range papers {
				o := paper.Options{Language: language, Paper: on, Test: n%3 == 0}
				o.Logo = logo
				if n%2 == 1 {
					o.Logo = photo
				}
				keep("kind", kind, document, o)
			}
		}
	}
	for _, h := range hostile {
		document := spoilt(t, h.text)
		for _, on := range papers {
			keep("hostile", h.name, document, paper.Options{Language: paper.Bilingual, Paper: on})
		}
	}
	for _, kind := range []string{"shelf-prices", "shelf-prices-and-net-prices"} {
		document := sealed(t, facts(t, kind)).XML
		for _, on := range papers {
			keep("supplement", kind, document, paper.Options{Language: paper.Bilingual, Paper: on, Supplement: supplement})
		}
	}
	for _, lines := range []int{1, 20, 50, 200, 400} {
		document := sealed(t, long(lines, 0)).XML
		for _, on := range papers {
			keep("length", fmt.Sprint(lines), document, paper.Options{Language: paper.Bilingual, Paper: on, Logo: logo})
		}
	}
	keep("draft", "draft", sealed(t, facts(t, kinds[0])).XML, paper.Options{Language: paper.Bilingual, Paper: paper.A4, Draft: true})

	for _, language := range languages {
		groups["account"]++
		pdf, err := press(t).Account(account(), paper.Options{Language: language, Logo: logo, Test: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "account-"+string(language)+".pdf"), pdf, 0o600); err != nil {
			t.Fatal(err)
		}
	}

	out, err := exec.Command(judge, "3a,3b,3u,ua1", folder).Output()
	passed := map[string]int{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) > 2 && f[0] == "pass" {
			passed[f[1]]++
		} else if strings.HasPrefix(line, "FAIL") {
			t.Error(strings.TrimSpace(line))
		}
	}
	all := 0
	for group, n := range groups {
		all += n
		t.Logf("%-8s %3d PDFs", group, n)
	}
	for _, flavour := range []string{"3a", "3b", "3u", "ua1"} {
		t.Logf("%-4s %d of %d pass", flavour, passed[flavour], all)
		if passed[flavour] != all || all < 120 {
			t.Errorf("%s: %d of %d PDFs pass, want all of at least 120", flavour, passed[flavour], all)
		}
	}
	if err != nil {
		t.Errorf("run %s: %v\n%.2000s", judge, err, out)
	}
}
