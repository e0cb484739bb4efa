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
	record = flag.Bool("record", false, "record what KHATM_ORACLE says: the verdicts and the counts of agreement")
)

const verdictsFile = "testdata/verdicts.jsonl"

// judged is when the documents of the corpus are judged: four hours after they
// were issued.
var judged = issued.Add(4 * time.Hour)

// recorded is what the official rule sheets said of one document of the corpus.
type recorded struct {
	Name   string      `json:"name"`
	SHA256 string      `json:"sha256"`
	Now    time.Time   `json:"now"`
	XSD    string      `json:"xsd"`
	Threw  bool        `json:"threw"`
	Rules  [][2]string `json:"rules"`
}

func sha256Of(document []byte) string {
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}

// TestRecordVerdicts asks the official sheets about every document of the
// corpus and keeps what they say. KHATM_ORACLE names a program that runs them:
// it is called with --json --now TIME FOLDER and prints one JSON object a
// document.
func TestRecordVerdicts(t *testing.T) {
	oracle := os.Getenv("KHATM_ORACLE")
	if oracle == "" || !*record {
		t.Skip("verdicts are recorded with KHATM_ORACLE and -record")
	}
	all := corpus(t)
	verdicts := ask(t, oracle, all)
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

// ask runs the program once over all documents.
func ask(t *testing.T, oracle string, all []specimen) []recorded {
	t.Helper()
	folder := t.TempDir()
	for i, s := range all {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.xml", i)), s.xml, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(oracle, "--json", "--now", judged.Format(time.RFC3339), folder)
	var complaint strings.Builder
	command.Stderr = &complaint
	out, err := command.Output()
	var ended *exec.ExitError // it ends with 1 when it refuses a document
	if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 1) {
		t.Fatalf("%s: %v: %s", oracle, err, complaint.String())
	}
	var verdicts []recorded
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		i := len(verdicts)
		if i == len(all) {
			t.Fatalf("the program judged more than the %d documents it was given", len(all))
		}
		verdicts = append(verdicts, readAnswer(t, lines.Bytes(), fmt.Sprintf("%05d.xml", i), all[i]))
	}
	if len(verdicts) != len(all) {
		t.Fatalf("the program judged %d of %d documents: %s", len(verdicts), len(all), complaint.String())
	}
	return verdicts
}

// readAnswer takes from one line what the two sheets and the schema said.
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
	v := recorded{Name: s.name, SHA256: sha256Of(s.xml), Now: judged, XSD: answer.Stages["XSD"], Rules: [][2]string{}}
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
	v.Rules = slices.Compact(v.Rules)
	return v
}

// TestVerdicts holds the book against the recorded verdicts on every document
// of the corpus.
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
			t.Errorf("%s: no verdict; record the verdicts again", s.name)
		case v.SHA256 != sha256Of(s.xml):
			t.Errorf("%s: the document is not the one that was judged; record the verdicts again", s.name)
		default:
			for _, difference := range differences(s.opinion, v) {
				t.Errorf("%s: %s", s.name, difference)
			}
			checkAims(t, s.specimen, v)
		}
	}
	for name := range verdicts {
		t.Errorf("%s: a verdict and no document; record the verdicts again", name)
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

// differences says in what our verdict departs from the official one. When the
// sheets broke off, all that is asked is that we say so, or that the schema is
// broken.
func differences(o opinion, v recorded) []string {
	var all []string
	if o.unreadable != nil {
		if v.XSD == "PASS" && !v.Threw {
			return []string{"not readable: " + o.unreadable.Error()}
		}
		return nil
	}
	if schema := v.XSD == "FAIL"; schema != (len(o.schema) > 0) {
		all = append(all, fmt.Sprintf("schema %s, ours %v", v.XSD, o.schema))
	}
	if v.Threw && len(o.traps)+len(o.schema) == 0 || !v.Threw && len(o.traps) > 0 {
		all = append(all, fmt.Sprintf("threw %v, ours %v", v.Threw, o.traps))
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
	return all
}

// judgement is a document of the corpus with what this package says of it.
type judgement struct {
	specimen
	opinion opinion
}

// judgedCorpus judges the corpus, once for all tests.
func judgedCorpus(t *testing.T) []judgement {
	t.Helper()
	corpus(t) // says what is wrong with it
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

// opinion is what this package says of a document.
type opinion struct {
	unreadable    error
	schema, traps []string    // ids and places
	failed        [][2]string // ids and flags, in the order of the book
	results       []rules.Result
}

func judge(document []byte, now time.Time) opinion {
	root, err := ubl.Parse(document)
	if err != nil {
		return opinion{unreadable: err}
	}
	o := opinion{schema: named(rules.Schema(root))}
	inv, err := ubl.Bind(root)
	if err != nil {
		return opinion{unreadable: err}
	}
	o.traps = named(rules.Traps(root))
	o.results = rules.Check(inv, now)
	for _, r := range o.results {
		if r.Status == rules.Failed {
			o.failed = append(o.failed, [2]string{r.Rule.ID, string(r.Rule.Flag)})
		}
	}
	return o
}

func named(findings []rules.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.ID+" at "+f.Path)
	}
	return all
}

// apart returns what only the sheets reported, and what only we did.
func apart(theirs, ours [][2]string) (missing, extra [][2]string) {
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

// checkAims asks that a mutant does what its row says: break a rule, keep one
// quiet, break the schema or make the sheets break off.
func checkAims(t *testing.T, s specimen, v recorded) {
	t.Helper()
	for _, aim := range s.aims {
		id, quiet := strings.CutPrefix(aim, "not ")
		fired := slices.ContainsFunc(v.Rules, func(r [2]string) bool { return r[0] == id })
		switch aim {
		case "-":
		case "clean":
			if v.XSD != "PASS" || v.Threw || len(v.Rules) > 0 {
				t.Errorf("%s: should be clean, and is %+v", s.name, v)
			}
		case "schema":
			if v.XSD != "FAIL" {
				t.Errorf("%s: should break the schema", s.name)
			}
		case "throws":
			if !v.Threw {
				t.Errorf("%s: should make the sheets break off", s.name)
			}
		default:
			if fired == quiet {
				t.Errorf("%s: aims at %q, and the sheets say %v", s.name, aim, v.Rules)
			}
		}
	}
}

func TestDifferencesAreSeen(t *testing.T) {
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
		{"a rule too few", opinion{}, recorded{XSD: "PASS", Rules: [][2]string{broken}}, "not reported"},
		{"a rule too many", opinion{failed: [][2]string{broken}}, recorded{XSD: "PASS"}, "wrongly reported"},
		{"a rule too few against the schema", opinion{schema: []string{"x"}}, recorded{XSD: "FAIL", Rules: [][2]string{broken}}, "not reported"},
		{"schema not seen", opinion{}, recorded{XSD: "FAIL"}, "schema FAIL"},
		{"schema seen in vain", opinion{schema: []string{"x"}}, recorded{XSD: "PASS"}, "schema PASS"},
		{"breaking off not seen", opinion{}, recorded{XSD: "PASS", Threw: true}, "threw true"},
		{"breaking off seen in vain", opinion{traps: []string{"x"}}, recorded{XSD: "PASS"}, "threw false"},
		{"broken off", opinion{traps: []string{"x"}}, recorded{XSD: "PASS", Threw: true, Rules: [][2]string{broken}}, ""},
		{"not readable", opinion{unreadable: errors.New("x")}, recorded{XSD: "PASS"}, "not readable"},
		{"not readable for both", opinion{unreadable: errors.New("x")}, recorded{XSD: "FAIL"}, ""},
	}
	for _, c := range cases {
		got := strings.Join(differences(c.ours, c.said), "; ")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
