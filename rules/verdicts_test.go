package rules_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/rules"
	"khatm/ubl"
)

var (
	update = flag.Bool("update", false, "rewrite docs/rules.md")
	record = flag.Bool("record", false, "record the verdicts of KHATM_ORACLE and the counts of agreement")
)

const verdictsFile = "testdata/verdicts.jsonl"

// judged is the time at which the documents of the corpus are checked: four
// hours after they were issued.
var judged = issued.Add(4 * time.Hour)

// recorded is the result of the official rule sheets for one document of the
// corpus.
type recorded struct {
	Name   string      `json:"name"`
	SHA256 string      `json:"sha256"`
	Now    time.Time   `json:"now"`
	XSD    string      `json:"xsd"`
	Threw  bool        `json:"threw"`
	Rules  [][2]string `json:"rules"` // each once

	// Counts has the rules that were reported more than once, and how often.
	Counts map[string]int `json:"counts,omitempty"`
}

func sha256Of(document []byte) string {
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}

// TestRecordVerdicts runs the official sheets on every document of the corpus
// and records the results. KHATM_ORACLE is a program that runs them: it is called
// with --json --now TIME FOLDER and prints one JSON object per document.
func TestRecordVerdicts(t *testing.T) {
	oracle := os.Getenv("KHATM_ORACLE")
	if oracle == "" || !*record {
		t.Skip("set KHATM_ORACLE and -record to record verdicts")
	}
	all := corpus(t)
	verdicts := ask(t, oracle, all, judged)
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for i := range verdicts {
		if err := encoder.Encode(verdicts[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(verdictsFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d verdicts recorded", len(verdicts))
}

// ask runs the program once on all documents, as of now.
func ask(t *testing.T, oracle string, all []specimen, now time.Time) []recorded {
	t.Helper()
	folder := t.TempDir()
	for i, s := range all {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.xml", i)), s.xml, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(oracle, "--json", "--now", now.Format(time.RFC3339), folder)
	var complaint strings.Builder
	command.Stderr = &complaint
	out, err := command.Output()
	var ended *exec.ExitError // exit status 1 if it refuses a document
	if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 1) {
		t.Fatalf("%s: %v: %s", oracle, err, complaint.String())
	}
	var verdicts []recorded
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		i := len(verdicts)
		if i == len(all) {
			t.Fatalf("the program returned more than %d results", len(all))
		}
		verdicts = append(verdicts, readAnswer(t, lines.Bytes(), fmt.Sprintf("%05d.xml", i), all[i]))
		verdicts[i].Now = now
	}
	if len(verdicts) != len(all) {
		t.Fatalf("the program returned %d of %d results: %s", len(verdicts), len(all), complaint.String())
	}
	return verdicts
}

// readAnswer returns the results of the two sheets and the schema from one line.
func readAnswer(t *testing.T, text []byte, file string, s specimen) recorded {
	t.Helper()
	var answer struct {
		File     string
		Stages   map[string]string
		Findings []struct{ Stage, Flag, ID string }
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("answer %.200q: %v", text, err)
	}
	if filepath.Base(answer.File) != file {
		t.Fatalf("answer about %s, want %s", answer.File, file)
	}
	v := recorded{Name: s.name, SHA256: sha256Of(s.xml), XSD: answer.Stages["XSD"], Rules: [][2]string{}}
	for _, f := range answer.Findings {
		switch {
		case f.Stage != "EN" && f.Stage != "KSA":
		case f.ID == "EXCEPTION":
			v.Threw = true
		default:
			v.Rules = append(v.Rules, [2]string{f.ID, f.Flag})
		}
	}
	slices.SortFunc(v.Rules, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	counts := map[string]int{}
	for _, r := range v.Rules {
		counts[r[0]]++
	}
	v.Rules, v.Counts = slices.Compact(v.Rules), severally(counts)
	return v
}

// severally returns the rules that were reported more than once.
func severally(counts map[string]int) map[string]int {
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n < 2 })
	return counts
}

// TestVerdicts compares the rules with the recorded verdicts on every document of
// the corpus.
func TestVerdicts(t *testing.T) {
	all := judgedCorpus(t)
	verdicts := recordedVerdicts(t)
	if len(all) < 1100 {
		t.Errorf("the corpus has %d documents, want 1,100 or more", len(all))
	}
	for _, s := range all {
		v, ok := verdicts[s.name]
		delete(verdicts, s.name)
		switch {
		case !ok:
			t.Errorf("%s: no recorded verdict; record the verdicts again", s.name)
		case v.SHA256 != sha256Of(s.xml):
			t.Errorf("%s: the document changed since its verdict was recorded; record the verdicts again", s.name)
		default:
			for _, difference := range differences(s.opinion, v) {
				t.Errorf("%s: %s", s.name, difference)
			}
			checkAims(t, s.specimen, v)
		}
	}
	for name := range verdicts {
		t.Errorf("%s: recorded verdict without a document; record the verdicts again", name)
	}
}

func recordedVerdicts(t *testing.T) map[string]recorded {
	t.Helper()
	data, err := os.ReadFile(verdictsFile)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]recorded{}
	for text := range bytes.Lines(data) {
		var v recorded
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatalf("%s: %v", verdictsFile, err)
		}
		verdicts[v.Name] = v
	}
	return verdicts
}

// differences describes how our result differs from the official one. If the
// sheets aborted, it is enough that we report that too, or a violation of the
// schema.
func differences(o opinion, v recorded) []string {
	var all []string
	if o.unreadable != nil {
		if v.XSD == "PASS" && !v.Threw {
			return []string{"cannot be parsed: " + o.unreadable.Error()}
		}
		return nil
	}
	if schema := v.XSD == "FAIL"; schema != (len(o.schema) > 0) {
		all = append(all, fmt.Sprintf("schema %s, our findings %v", v.XSD, o.schema))
	}
	if v.Threw && len(o.traps)+len(o.schema) == 0 || !v.Threw && len(o.traps) > 0 {
		all = append(all, fmt.Sprintf("sheets aborted %v, our findings %v", v.Threw, o.traps))
	}
	if v.Threw {
		return all
	}
	missing, extra := apart(v.Rules, o.failed)
	if len(missing) > 0 {
		all = append(all, fmt.Sprintf("not reported %v", missing))
	}
	if len(extra) > 0 {
		all = append(all, fmt.Sprintf("wrongly reported %v", extra))
	}
	if len(missing)+len(extra) == 0 && !maps.Equal(v.Counts, o.counts) {
		all = append(all, fmt.Sprintf("reported several times %v, want %v", o.counts, v.Counts))
	}
	return all
}

// judgement is a document of the corpus with the result of this package.
type judgement struct {
	specimen
	opinion opinion
}

// judgedCorpus checks the corpus, once for all tests.
func judgedCorpus(t *testing.T) []judgement {
	t.Helper()
	corpus(t) // fails if the corpus cannot be built
	return judgeCorpus()
}

var judgeCorpus = sync.OnceValue(func() []judgement {
	var all []judgement
	documents, _ := makeCorpus()
	for _, s := range documents {
		all = append(all, judgement{s, judge(s.xml, judged)})
	}
	return all
})

// opinion is the result of this package for a document.
type opinion struct {
	unreadable    error
	schema, traps []string       // ids and places
	failed        [][2]string    // ids and flags, in the order of the rules
	counts        map[string]int // of rules that failed more than once
	results       []rules.Result
}

func judge(document []byte, now time.Time) opinion {
	root, err := ubl.Parse(document)
	if err != nil {
		return opinion{unreadable: err}
	}
	o := opinion{schema: named(rules.Schema(root)), counts: map[string]int{}}
	inv, err := ubl.Bind(root)
	if err != nil {
		return opinion{unreadable: err}
	}
	o.traps = named(rules.Traps(root))
	o.results = rules.Check(inv, now)
	for _, r := range o.results {
		if r.Status == rules.Failed {
			o.failed = append(o.failed, [2]string{r.Rule.ID, string(r.Rule.Flag)})
			o.counts[r.Rule.ID] = r.Count
		}
	}
	o.counts = severally(o.counts)
	return o
}

func named(findings []rules.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.ID+" at "+f.Path)
	}
	return all
}

// apart returns the rules that only the sheets reported, and those that only we
// reported.
func apart[T comparable](theirs, ours []T) (missing, extra []T) {
	for _, r := range theirs {
		if !slices.Contains(ours, r) {
			missing = append(missing, r)
		}
	}
	for _, r := range ours {
		if !slices.Contains(theirs, r) {
			extra = append(extra, r)
		}
	}
	return missing, extra
}

// checkAims checks that a mutant has the effects that its row lists: a rule
// fails or passes, the schema is violated, or the sheets abort.
func checkAims(t *testing.T, s specimen, v recorded) {
	t.Helper()
	for _, aim := range s.aims {
		id, quiet := strings.CutPrefix(aim, "not ")
		fired := slices.ContainsFunc(v.Rules, func(r [2]string) bool { return r[0] == id })
		switch aim {
		case "-":
		case "clean":
			if v.XSD != "PASS" || v.Threw || len(v.Rules) > 0 {
				t.Errorf("%s: verdict %+v, want a clean one", s.name, v)
			}
		case "schema":
			if v.XSD != "FAIL" {
				t.Errorf("%s: schema %s, want FAIL", s.name, v.XSD)
			}
		case "throws":
			if !v.Threw {
				t.Errorf("%s: the sheets did not abort, want an abort", s.name)
			}
		default:
			if fired == quiet {
				t.Errorf("%s: the sheets report %v, want %q", s.name, v.Rules, aim)
			}
		}
	}
}

func TestDifferences(t *testing.T) {
	broken := [2]string{"BR-02", "warning"}
	cases := []struct {
		name string
		ours opinion
		said recorded
		want string
	}{
		{"clean", opinion{}, recorded{XSD: "PASS"}, ""},
		{"the same rule", opinion{failed: [][2]string{broken}}, recorded{XSD: "PASS", Rules: [][2]string{broken}}, ""},
		{"another flag", opinion{failed: [][2]string{{"BR-02", "error"}}}, recorded{XSD: "PASS", Rules: [][2]string{broken}}, "wrongly reported"},
		{"missing rule", opinion{}, recorded{XSD: "PASS", Rules: [][2]string{broken}}, "not reported"},
		{"additional rule", opinion{failed: [][2]string{broken}}, recorded{XSD: "PASS"}, "wrongly reported"},
		{"missing rule on a document that violates the schema", opinion{schema: []string{"x"}}, recorded{XSD: "FAIL", Rules: [][2]string{broken}}, "not reported"},
		{"reported too often", opinion{failed: [][2]string{broken}, counts: map[string]int{"BR-02": 2}}, recorded{XSD: "PASS", Rules: [][2]string{broken}}, "several times"},
		{"not reported often enough", opinion{failed: [][2]string{broken}, counts: map[string]int{"BR-02": 2}}, recorded{XSD: "PASS", Rules: [][2]string{broken}, Counts: map[string]int{"BR-02": 3}}, "several times"},
		{"reported equally often", opinion{failed: [][2]string{broken}, counts: map[string]int{"BR-02": 2}}, recorded{XSD: "PASS", Rules: [][2]string{broken}, Counts: map[string]int{"BR-02": 2}}, ""},
		{"violation of the schema missed", opinion{}, recorded{XSD: "FAIL"}, "schema FAIL"},
		{"violation of the schema reported wrongly", opinion{schema: []string{"x"}}, recorded{XSD: "PASS"}, "schema PASS"},
		{"abort missed", opinion{}, recorded{XSD: "PASS", Threw: true}, "aborted true"},
		{"abort reported wrongly", opinion{traps: []string{"x"}}, recorded{XSD: "PASS"}, "aborted false"},
		{"both aborted", opinion{traps: []string{"x"}}, recorded{XSD: "PASS", Threw: true, Rules: [][2]string{broken}}, ""},
		{"cannot be parsed", opinion{unreadable: errors.New("x")}, recorded{XSD: "PASS"}, "cannot be parsed"},
		{"refused by both", opinion{unreadable: errors.New("x")}, recorded{XSD: "FAIL"}, ""},
	}
	for _, c := range cases {
		got := strings.Join(differences(c.ours, c.said), "; ")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
