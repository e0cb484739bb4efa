package tools_test

import (
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/beevik/etree"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/service/internal/servicetest"
	"khatm/ubl"
)

// differs is the beginning of the warning that the invoice differs from the document.
const differs = "The invoice below differs from the document in: "

// TestInterface_4_7_ParseInvoiceOfMutantsTellsTheTruth parses mutants of the
// rules: unless the warning says that the invoice differs from the document, both
// must fail the same rules; if it does, it must list the rules the document fails.
func TestInterface_4_7_ParseInvoiceOfMutantsTellsTheTruth(t *testing.T) {
	h := openTools(t)
	same, different, untold, refused := 0, 0, 0, 0
	parts := testtool.Scale(60, 20, 1) // parse every nth document
	for _, m := range mutantDocuments(t, parts) {
		a := h.Parse(m.xml)
		if _, err := ubl.Read([]byte(m.xml)); err != nil {
			a.Wants(t, http.StatusBadRequest)
			refused++
			continue
		}
		got := a.Wants(t, http.StatusOK)
		if got["invoice"] == nil {
			if !strings.Contains(warned(got), "The invoice is not shown") {
				t.Errorf("%s: no invoice was returned, but the warning %q does not say so", m.name, warned(got))
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
	t.Logf("%d unchanged, %d differ, %d not returned, %d refused", same, different, untold, refused)
	if same < 300/parts || different < 600/parts {
		t.Errorf("only %d unchanged and %d different documents, want at least %d and %d", same, different, 300/parts, 600/parts)
	}
}

// faithful reports whether parse says that the invoice equals the document, and
// checks both against the rules.
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
		t.Errorf("%s: the document fails %v, but the warning is %q", name, want, warning)
	}
	return false
}

// mutantDocument is a document with one change.
type mutantDocument struct{ name, xml string }

// mutantDocuments returns every nth mutant of the samples.
func mutantDocuments(t *testing.T, nth int) []mutantDocument {
	t.Helper()
	data, err := os.ReadFile("../../../rules/testdata/mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	samples := map[string]invoice.Facts{}
	for _, c := range sample.Every() {
		samples[c.Name] = c.Facts
	}
	bases := map[string]string{} // documents to start from, as far as they are used
	n := 0
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
		isBase, chosen := strings.HasPrefix(name, "+"), n%nth == 0
		n++
		if !isBase && !chosen {
			continue
		}
		if _, made := bases[base]; !made {
			bases[base] = servicetest.SealedOf(t, samples[base])
		}
		xml := mutated(t, bases[base], op, path, value)
		if isBase {
			bases[name] = xml
		}
		if chosen {
			all = append(all, mutantDocument{name, xml})
		}
	}
	return all
}

// mutantValue decodes a value of the table: ␠ is a space, and x×9 is nine times x.
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

// mutated makes one change to a document, as described in the table.
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
		t.Fatalf("%s %s: element not found", op, path)
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
