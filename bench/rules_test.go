package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"khatm/rules"
	"khatm/ubl"
)

// TestRulebook compares the time of all rules with that of one signature, which every
// document needs.
func TestRulebook(t *testing.T) {
	enabled(t)
	d, sealed := device(t, factsJSON(10))
	inv := must(ubl.Read(sealed.XML))
	for _, r := range rules.Check(inv, issued) {
		if r.Status == rules.Failed {
			t.Fatalf("the document violates rule %s, want a valid document", r.Rule.ID)
		}
	}
	digest := []byte(sealed.Hash)
	t.Log("10 lines, one core, CPU time:")
	got := beside(t, part{"245 rules (aim 200 µs)", func() { rules.Check(inv, issued) }},
		part{"one signature", func() { must(d.Key.Sign(digest)) }},
	)
	hold(t, "rules / one signature", got, 4)
	officialSheets(t, sealed.XML)
}

// TestRulebookManyLines checks that ten times as many lines take the rules at most
// twelve times as long.
func TestRulebookManyLines(t *testing.T) {
	enabled(t)
	_, short := device(t, factsJSON(400))
	_, long := device(t, factsJSON(4000))
	few, many := must(ubl.Read(short.XML)), must(ubl.Read(long.XML))
	got, times := ratio(func() { rules.Check(many, issued) }, func() { rules.Check(few, issued) })
	t.Logf("rules: 4000 lines %s, 400 lines %s", micros(times[0]), micros(times[1]))
	hold(t, "rules: 4000 lines / 400 lines", got, 12)
}

// officialSheets logs, for comparison, the time that the official rule sheets need
// for a document after they are loaded: the time of a hundred documents less that of
// one.
func officialSheets(t *testing.T, document []byte) {
	program := os.Getenv("KHATM_ORACLE")
	if program == "" {
		t.Log("no comparison with the official sheets: KHATM_ORACLE is not set")
		return
	}
	judge := func(count int) time.Duration {
		folder := t.TempDir()
		for i := range count {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%03d.xml", i)), document, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		if out, err := exec.Command(program, "--brief", folder).CombinedOutput(); err != nil {
			t.Logf("%v: %.200s", err, out)
		}
		return time.Since(start)
	}
	const count = 100
	one := judge(1)
	t.Logf("official sheets, loaded: about %s per document (wall clock)", micros((judge(1+count)-one)/count))
}
