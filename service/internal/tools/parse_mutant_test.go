package tools_test

import (
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/beevik/etree"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/service/internal/servicetest"
	"khatm/ubl"
)

// differs is how a warning begins that the invoice is not the document.
const differs = "The invoice below differs from the document in: "

// TestInterface_4_7_ParseInvoiceOfMutantsTellsTheTruth takes every mutant of the
// rulebook: unless the warning says that the invoice differs from the document,
// the same rules fail of both; and if it does, it says what fails of the document.
func TestInterface_4_7_ParseInvoiceOfMutantsTellsTheTruth(t *testing.T) {
	h := openTools(t)
	same, different, untold, refused := 0, 0, 0, 0
	parts := testtool.Count(10, 1) // one of so many documents is parsed
	for n, m := range mutantDocuments(t) {
		if n%parts != 0 {
			continue
		}
		a := h.Parse(m.xml)
		if _, err := ubl.Read([]byte(m.xml)); err != nil {
			a.Wants(t, http.StatusBadRequest)
			refused++
			continue
		}
		got := a.Wants(t, http.StatusOK)
		if got["invoice"] == nil {
			if !strings.Contains(warned(got), "cannot be told") {
				t.Errorf("%s: no invoice, and the warning is %q", m.name, warned(got))
			}
			untold++
			continue
		}
		if faithful(h, t, m.name, m.xml, a) {
			same++
		} else {
			different++
		}
	}
	t.Logf("%d as they stand, %d differ, %d could not be told, %d refused", same, different, untold, refused)
	if same < 300/parts || different < 600/parts {
		t.Errorf("only %d as they stand, %d that differ", same, different)
	}
}

// faithful says whether the invoice of a parse is told to be that of the
// document, and holds both against the rules.
func faithful(h *servicetest.Instance, t *testing.T, name, xml string, a servicetest.Answer) bool {
	t.Helper()
	want := failuresIn(h, t, []byte(xml))
	warning := warned(a.JSON(t))
	if !strings.Contains(warning, differs) {
		got := failed(judged(h, a).Verdict(t))
		servicetest.Equal(t, name+": rules that fail", strings.Join(got, " "), strings.Join(want, " "))
		return true
	}
	count := "The file itself fails none of the rules."
	if len(want) > 0 {
		count = "The file itself fails " + strconv.Itoa(len(want)) + " of the rules: "
	}
	if !strings.Contains(warning, count) {
		t.Errorf("%s: the document fails %v, and the warning is %q", name, want, warning)
	}
	return false
}

// mutantDocument is a document with one change.
type mutantDocument struct{ name, xml string }

// mutantDocuments are what the mutants of the rulebook make of the samples.
func mutantDocuments(t *testing.T) []mutantDocument {
	t.Helper()
	data, err := os.ReadFile("../../../rules/testdata/mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	bases := map[string]string{}
	for _, c := range sample.Every() {
		bases[c.Name] = servicetest.SealedOf(t, c.Facts)
	}
	var all []mutantDocument
	for text := range strings.Lines(string(data)) {
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		cells := strings.Split(text, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		name, base, op, path, value := cells[0], cells[1], cells[2], cells[3], mutantValue(cells[4])
		xml := mutated(t, bases[base], op, path, value)
		if strings.HasPrefix(name, "+") { // a document to begin from
			bases[name] = xml
		}
		all = append(all, mutantDocument{name, xml})
	}
	return all
}

// mutantValue reads a value of the table: ␠ is a blank, and x×9 nine times x.
func mutantValue(cell string) string {
	cell = strings.ReplaceAll(cell, "␠", " ")
	before, number, found := strings.Cut(cell, "×")
	digits := len(number) - len(strings.TrimLeft(number, "0123456789"))
	times, err := strconv.Atoi(number[:digits])
	if !found || err != nil {
		return cell
	}
	start := strings.LastIndexByte(before, '>') + 1
	return before[:start] + strings.Repeat(before[start:], times) + number[digits:]
}

// mutated makes one change to a document; the table says what each is.
func mutated(t *testing.T, xml, op, path, value string) string {
	t.Helper()
	tree := etree.NewDocument()
	tree.WriteSettings = etree.WriteSettings{CanonicalEndTags: true, CanonicalText: true, CanonicalAttrVal: true}
	fragment := etree.NewDocument()
	if err := tree.ReadFromString(xml); err != nil {
		t.Fatal(err)
	}
	path, attribute, _ := strings.Cut(path, "/@")
	at := tree.Root().FindElement(path)
	if at == nil {
		t.Fatalf("%s %s: there is no such element", op, path)
	}
	parent, index := at.Parent(), at.Index()
	switch {
	case attribute != "" && op == "delete":
		at.RemoveAttr(attribute)
	case attribute != "":
		at.CreateAttr(attribute, value)
	case op == "delete":
		parent.RemoveChildAt(index)
	case op == "empty" || op == "set":
		at.Child = nil
		at.SetText(value)
	case op == "twice":
		parent.InsertChildAt(index+1, at.Copy())
	case op == "last":
		parent.AddChild(at)
	default: // before, after, into, replace
		if err := fragment.ReadFromString("<f>" + value + "</f>"); err != nil {
			t.Fatal(err)
		}
		switch op {
		case "into":
			parent, index = at, len(at.Child)
		case "after":
			index++
		case "replace":
			parent.RemoveChildAt(index)
		}
		for i, e := range fragment.Root().ChildElements() {
			parent.InsertChildAt(index+i, e)
		}
	}
	out, err := tree.WriteToString()
	if err != nil {
		t.Fatal(err)
	}
	return out
}
