package rules_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/rules"
	"khatm/ubl"
)

// verdict is the result of the official rule sheets for one document.
type verdict struct {
	File  string
	Now   time.Time
	XSD   string
	Threw bool
	Rules [][2]string
}

// TestConformanceCorpus compares the rules with official verdicts in an external
// folder: verdicts.jsonl and the documents it names.
func TestConformanceCorpus(t *testing.T) {
	folder := os.Getenv("KHATM_CORPUS")
	if folder == "" {
		t.Skip("KHATM_CORPUS is not set; set it to a folder with official verdicts")
	}
	verdicts := readVerdicts(t, filepath.Join(folder, "verdicts.jsonl"))
	agree := 0
	for _, v := range verdicts {
		document, err := os.ReadFile(filepath.Join(folder, v.File))
		if err != nil {
			t.Fatal(err)
		}
		inv, err := ubl.Read(document)
		if err != nil {
			if v.XSD == "PASS" && !v.Threw {
				t.Errorf("%s: %v", v.File, err)
			}
			continue
		}
		if missing, extra := compare(inv, v); len(missing)+len(extra) > 0 {
			t.Errorf("%s: not reported %v, wrongly reported %v", v.File, missing, extra)
			continue
		}
		agree++
	}
	t.Logf("same rules as the official sheets on %d of %d documents", agree, len(verdicts))
}

// TestConformanceCorpusCounts runs the official sheets on the documents of the
// external folder and compares how often each rule is reported.
func TestConformanceCorpusCounts(t *testing.T) {
	folder, oracle := os.Getenv("KHATM_CORPUS"), os.Getenv("KHATM_ORACLE")
	if folder == "" || oracle == "" {
		t.Skip("KHATM_CORPUS or KHATM_ORACLE is not set; set them to a folder with official verdicts and a program that checks XML with the official rule sheets")
	}
	byTime := map[time.Time][]specimen{}
	for _, v := range readVerdicts(t, filepath.Join(folder, "verdicts.jsonl")) {
		document, err := os.ReadFile(filepath.Join(folder, v.File))
		if err != nil {
			t.Fatal(err)
		}
		byTime[v.Now] = append(byTime[v.Now], specimen{name: v.File, xml: document})
	}
	agree, documents := 0, 0
	for now, all := range byTime {
		documents += len(all)
		for i, v := range ask(t, oracle, all, now) {
			if found := differences(judge(all[i].xml, now), v); len(found) > 0 {
				t.Errorf("%s: %s", v.Name, strings.Join(found, "; "))
				continue
			}
			agree++
		}
	}
	t.Logf("same rules, as often as the official sheets, on %d of %d documents", agree, documents)
}

func readVerdicts(t *testing.T, path string) []verdict {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []verdict
	for text := range strings.Lines(string(data)) {
		var v verdict
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, v)
	}
	return all
}

// compare returns the rules that only the sheets reported, and those that only
// we reported.
func compare(inv *ubl.Invoice, v verdict) (missing, extra []string) {
	var got, want []string
	for _, r := range rules.Check(inv, v.Now) {
		if r.Status == rules.Failed {
			got = append(got, r.Rule.ID+" "+string(r.Rule.Flag))
		}
	}
	for _, r := range v.Rules {
		want = append(want, r[0]+" "+r[1])
	}
	return apart(want, got)
}
