package rules_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/beevik/etree"

	"khatm/sample"
)

const agreementFile = "testdata/agreement.json"

// agreement counts documents that both sides judged.
type agreement struct {
	Documents int               `json:"documents"`
	Schema    int               `json:"broken_schema"`
	Threw     int               `json:"broke_off"`
	Different int               `json:"judged_differently"`
	Rules     map[string]*tally `json:"rules"`
}

// tally counts the documents on which a rule was reported.
type tally struct {
	Both   int `json:"both"`
	Theirs int `json:"only_official"`
	Ours   int `json:"only_ours"`
}

// TestConformanceRandomMutants has documents with one to three random changes
// judged by the official sheets and by this package. KHATM_MUTANTS says how
// many, KHATM_SEED which; -update keeps the counts.
func TestConformanceRandomMutants(t *testing.T) {
	oracle := os.Getenv("KHATM_ORACLE")
	if oracle == "" {
		t.Skip("KHATM_ORACLE is not set: it names a program that judges XML by the official rule sheets")
	}
	all := randomMutants(t, number(t, "KHATM_MUTANTS", 5000), uint64(number(t, "KHATM_SEED", 1)))
	sum := agreement{Documents: len(all), Rules: map[string]*tally{}}
	for i, v := range ask(t, oracle, all) {
		if found := differences(all[i].xml, v); len(found) > 0 {
			sum.Different++
			t.Errorf("%s: %s", all[i].name, strings.Join(found, "; "))
			keep(t, i, all[i].xml)
		}
		sum.add(v, judge(all[i].xml, v.Now))
	}
	for _, id := range slices.Sorted(maps.Keys(sum.Rules)) {
		c := sum.Rules[id]
		t.Logf("%-24s both %5d   only official %3d   only ours %3d", id, c.Both, c.Theirs, c.Ours)
	}
	t.Logf("%d documents, %d against the schema, %d break off, %d judged differently",
		sum.Documents, sum.Schema, sum.Threw, sum.Different)
	if *update {
		writeAgreement(t, sum)
	}
}

func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// keep writes a document that is judged differently into the folder that
// KHATM_KEEP names.
func keep(t *testing.T, i int, document []byte) {
	t.Helper()
	folder := os.Getenv("KHATM_KEEP")
	if folder == "" {
		return
	}
	if err := os.WriteFile(fmt.Sprintf("%s/%05d.xml", folder, i), document, 0o600); err != nil {
		t.Fatal(err)
	}
}

// add counts one document. Rules are counted where the sheets judged to the
// end.
func (a *agreement) add(v recorded, o opinion) {
	if v.XSD == "FAIL" {
		a.Schema++
	}
	if v.Threw || o.unreadable != nil {
		a.Threw++
		return
	}
	count := func(list [][2]string, which func(*tally) *int) {
		for _, r := range list {
			if a.Rules[r[0]] == nil {
				a.Rules[r[0]] = new(tally)
			}
			*which(a.Rules[r[0]])++
		}
	}
	missing, extra := apart(v.Rules, o.failed)
	both, _ := apart(v.Rules, missing)
	count(both, func(c *tally) *int { return &c.Both })
	count(missing, func(c *tally) *int { return &c.Theirs })
	count(extra, func(c *tally) *int { return &c.Ours })
}

func writeAgreement(t *testing.T, sum agreement) {
	t.Helper()
	data, err := json.MarshalIndent(sum, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(agreementFile, append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

// randomMutants draws documents from the corpus and from sample.Random, and
// changes each up to three times.
func randomMutants(t *testing.T, count int, seed uint64) []specimen {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	var right []specimen
	for _, s := range corpus(t) {
		if s.aims == nil || strings.HasPrefix(s.name, "+") {
			right = append(right, s)
		}
	}
	all := make([]specimen, count)
	for i := range all {
		base := right[r.IntN(len(right))]
		switch r.IntN(4) {
		case 0:
			base = freshDocument(t, r)
		case 1:
			base = right[len(right)-1-r.IntN(6)] // the rows that begin with + have the rarer elements
		}
		changes := etree.NewDocument()
		changes.WriteSettings = etree.WriteSettings{CanonicalEndTags: true, CanonicalText: true, CanonicalAttrVal: true}
		if err := changes.ReadFromBytes(base.xml); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%05d %s", i, base.name)
		for range 1 + r.IntN(3) {
			name += ": " + randomChange(r, changes.Root())
		}
		document, err := changes.WriteToBytes()
		if err != nil {
			t.Fatal(err)
		}
		all[i] = specimen{name: name, xml: document}
	}
	return all
}

func freshDocument(t *testing.T, r *rand.Rand) specimen {
	t.Helper()
	facts := sample.Random(r)
	if len(facts.Lines) > 40 {
		facts.Lines = facts.Lines[:40]
		facts.ExpectedPayable, facts.Advances = nil, nil
	}
	document, err := sealedCase(sample.Case{Name: "random", Facts: facts})
	if err != nil {
		return freshDocument(t, r) // the lines that were cut off were needed
	}
	return specimen{name: "random", xml: document}
}
