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
	"time"

	"github.com/beevik/etree"

	"khatm/sample"
)

const agreementFile = "testdata/agreement.json"

// agreement counts the documents that both sides checked.
type agreement struct {
	Seed      int               `json:"seed"`
	Documents int               `json:"documents"`
	Schema    int               `json:"against_the_schema"`
	Threw     int               `json:"broken_off"`
	Different int               `json:"judged_differently"`
	Misplaced int               `json:"judged_differently_against_the_schema"`
	Rules     map[string]*tally `json:"rules"`
}

// tally counts the documents on which a rule was reported.
type tally struct {
	Both   int `json:"both"`
	Theirs int `json:"only_official"`
	Ours   int `json:"only_ours"`
}

// TestConformanceRandomMutants checks documents with one to five random changes
// with the official sheets and with this package, and compares which rules they
// report and how often. KHATM_MUTANTS is the number of documents, KHATM_SEED the
// seed (default: the time); -record stores the counts.
//
// No difference is allowed on documents that conform to the schema. Documents
// that violate it are refused by both sides, but these may report different
// rules in addition: the sheets find elements in places where UBL does not allow
// them, such as a line inside an address, and read both of two elements where
// UBL allows one.
func TestConformanceRandomMutants(t *testing.T) {
	oracle := os.Getenv("KHATM_ORACLE")
	if oracle == "" {
		t.Skip("KHATM_ORACLE is not set; set it to a program that checks XML with the official rule sheets")
	}
	seed := number(t, "KHATM_SEED", int(time.Now().UnixMilli()))
	t.Logf("KHATM_SEED=%d", seed)
	all := randomMutants(t, number(t, "KHATM_MUTANTS", 3000), uint64(seed))
	sum := agreement{Seed: seed, Documents: len(all), Rules: map[string]*tally{}}
	for i, v := range ask(t, oracle, all, judged) {
		o := judge(all[i].xml, v.Now)
		sum.add(v, o)
		found := strings.Join(differences(o, v), "; ")
		switch {
		case found == "":
			continue
		case v.XSD == "FAIL" && len(o.schema) > 0:
			sum.Misplaced++
			t.Logf("violates the schema: %s: %s", all[i].name, found)
		default:
			sum.Different++
			t.Errorf("%s: %s", all[i].name, found)
		}
		keep(t, i, all[i].xml)
	}
	for _, id := range slices.Sorted(maps.Keys(sum.Rules)) {
		c := sum.Rules[id]
		t.Logf("%-24s both %5d   only official %3d   only ours %3d", id, c.Both, c.Theirs, c.Ours)
	}
	t.Logf("%d documents, %d of them violate the schema, %d aborted; %d differ, and %d of those that violate the schema",
		sum.Documents, sum.Schema, sum.Threw, sum.Different, sum.Misplaced)
	if *record {
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

// keep writes a document on which the results differ into the folder KHATM_KEEP.
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

// add counts one document. It counts rules only if the sheets did not abort.
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
	if err := os.WriteFile(agreementFile, append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// randomMutants picks documents from the samples, the + rows of the mutants and
// sample.Random, and changes each up to five times.
func randomMutants(t *testing.T, count int, seed uint64) []specimen {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	var samples, richer []specimen
	for _, s := range corpus(t) {
		switch {
		case s.aims == nil:
			samples = append(samples, s)
		case strings.HasPrefix(s.name, "+") && !strings.Contains(s.name, ":"):
			richer = append(richer, s)
		}
	}
	all := make([]specimen, count)
	for i := range all {
		base := samples[r.IntN(len(samples))]
		switch r.IntN(4) {
		case 0:
			base = freshDocument(t, r)
		case 1:
			base = richer[r.IntN(len(richer))]
		}
		tree, donor := parsed(t, base.xml), parsed(t, richer[r.IntN(len(richer))].xml)
		name := fmt.Sprintf("%05d %s", i, base.name)
		for range 1 + r.IntN(5) {
			name += ": " + randomChange(r, tree.Root(), donor.Root())
		}
		document, err := tree.WriteToBytes()
		if err != nil {
			t.Fatal(err)
		}
		all[i] = specimen{name: name, xml: document}
	}
	return all
}

func parsed(t *testing.T, document []byte) *etree.Document {
	t.Helper()
	tree, err := parseTree(document)
	if err != nil {
		t.Fatal(err)
	}
	return tree
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
		return freshDocument(t, r) // the removed lines were needed
	}
	return specimen{name: "random", xml: document}
}
