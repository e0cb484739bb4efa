package tools_test

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"
	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/rules"
	"khatm/sample"
	"khatm/service/internal/tools"
	"khatm/ubl"
)

// TestMutantsAreJudgedAsTheyStand takes the mutants of the rulebook that the
// schema can say: read into it and laid out again they are the same to the byte.
// What fails in the tool is what fails in the document.
func TestMutantsAreJudgedAsTheyStand(t *testing.T) {
	surface := tools.New(tools.Config{Now: func() time.Time { return judged }, NewID: uuid.New})
	samples := documents(t)
	said, wrong := 0, 0
	for _, m := range mutants(t) {
		document, ok := m.apply(samples[m.base])
		if !ok {
			continue
		}
		read, err := ubl.Read(document)
		if err != nil {
			continue // no XML of an invoice
		}
		in, err := tools.InvoiceFrom(read)
		if err != nil || !bytes.Equal(again(t, in), written(t, read)) {
			continue // it says more, or other, than the schema can
		}
		got, err := tools.FailuresOf(surface, in)
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		want := failures(t, document)
		if !slices.Equal(got, want) {
			t.Errorf("%s: fails %v, want %v", m.name, got, want)
		}
		if said++; len(want) > 0 {
			wrong++
		}
	}
	if said < 200 || wrong < 150 {
		t.Errorf("only %d mutants could be said, of which %d fail", said, wrong)
	}
	t.Logf("%d mutants, of which %d fail", said, wrong)
}

// judged is when the documents of the tests are held against the book.
var judged = time.Date(2026, time.November, 14, 10, 0, 0, 0, invoice.Riyadh())

// documents are the samples by name, without a stamp.
func documents(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, c := range sample.Every() {
		d, err := invoice.Compute(c.Facts)
		if err != nil {
			t.Fatal(err)
		}
		inv, err := d.UBL(identity)
		if err != nil {
			t.Fatal(err)
		}
		all[c.Name] = written(t, inv)
	}
	return all
}

// unsaid are the rules that an invoice in JSON has nothing for.
var unsaid = []string{
	"BR-KSA-26", "BR-KSA-27", "BR-KSA-28", "BR-KSA-29", "BR-KSA-30", "BR-KSA-33", "BR-KSA-34", "BR-KSA-60", "BR-KSA-61", "BR-KSA-98", "BR-CL-KSA-14",
}

// failures are the ids of what is wrong with a document, those aside that speak
// of the stamp and the chain.
func failures(t *testing.T, document []byte) []string {
	t.Helper()
	root, err := ubl.Parse(document)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := ubl.Bind(root)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, r := range rules.Check(inv, judged) {
		if r.Status == rules.Failed && !slices.Contains(unsaid, r.Rule.ID) {
			ids[r.Rule.ID] = true
		}
	}
	for _, f := range slices.Concat(rules.Schema(root), rules.Traps(root)) {
		ids[f.ID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// mutant is a row of the rulebook's mutants: an element of a sample that is
// deleted, emptied or set.
type mutant struct{ name, base, op, path, value string }

func mutants(t *testing.T) []mutant {
	t.Helper()
	data, err := os.ReadFile("../../../rules/testdata/mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []mutant
	for text := range strings.Lines(string(data)) {
		cells := strings.Split(text, "|")
		if len(cells) != 6 || strings.HasPrefix(text, "#") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		all = append(all, mutant{cells[0], cells[1], cells[2], cells[3], value(cells[4])})
	}
	return all
}

// value reads a value of the table: ␠ is a blank, and x×9 nine times x.
func value(cell string) string {
	cell = strings.ReplaceAll(cell, "␠", " ")
	if before, times, found := strings.Cut(cell, "×"); found {
		if n, err := strconv.Atoi(times); err == nil {
			return strings.Repeat(before, n)
		}
	}
	return cell
}

// apply makes the mutant; not ok if it is of another kind, or of a document
// that is stamped.
func (m mutant) apply(document []byte) ([]byte, bool) {
	tree := etree.NewDocument()
	if document == nil || tree.ReadFromBytes(document) != nil {
		return nil, false
	}
	path, attribute, _ := strings.Cut(m.path, "/@")
	at := tree.Root().FindElement(path)
	if at == nil {
		return nil, false
	}
	switch {
	case m.op == "delete" && attribute != "":
		at.RemoveAttr(attribute)
	case m.op == "delete":
		at.Parent().RemoveChildAt(at.Index())
	case (m.op == "set" || m.op == "empty") && attribute != "":
		at.CreateAttr(attribute, m.value)
	case m.op == "set" || m.op == "empty":
		at.Child = nil
		at.SetText(m.value)
	default:
		return nil, false
	}
	out, err := tree.WriteToBytes()
	return out, err == nil
}
