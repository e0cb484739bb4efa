package rules_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/beevik/etree"

	"khatm/sample"
)

// mutant is a document with one change: a row of testdata/mutants.txt, which
// explains the columns.
type mutant struct {
	name  string
	base  string
	op    string
	path  string
	value string
	aims  []string
}

// specimen is a document of the corpus.
type specimen struct {
	name string
	xml  []byte
	aims []string // expected effects, if it is a mutant
}

// corpus returns the test documents: every sample, and the mutants of
// testdata/mutants.txt.
func corpus(t testing.TB) []specimen {
	t.Helper()
	all, err := makeCorpus()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var makeCorpus = sync.OnceValues(func() ([]specimen, error) {
	rows, err := readMutants("testdata/mutants.txt")
	if err != nil {
		return nil, err
	}
	var all []specimen
	bases := map[string][]byte{}
	for _, c := range sample.Every() {
		document, err := sealedCase(c)
		if err != nil {
			return nil, err
		}
		bases[c.Name] = document
		all = append(all, specimen{name: c.Name, xml: document})
	}
	for _, m := range rows {
		document, err := m.apply(bases[m.base])
		if err != nil {
			return nil, fmt.Errorf("mutants.txt, %q: %w", m.name, err)
		}
		if strings.HasPrefix(m.name, "+") {
			bases[m.name] = document
			if m.base == m.name {
				all[len(all)-1].xml = document
				continue
			}
		}
		all = append(all, specimen{m.name, document, m.aims})
	}
	return all, nil
})

// sealedCase returns the sealed document of a case. It uses a new device for
// each case, so that a document does not change when another is added before
// it.
func sealedCase(c sample.Case) ([]byte, error) {
	device, err := sample.NewDevice(sample.Seeded(1), issued)
	if err != nil {
		return nil, err
	}
	document, err := device.Seal(c.Facts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	return document.XML, nil
}

func readMutants(path string) ([]mutant, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []mutant
	names := map[string]bool{}
	for text := range strings.Lines(string(data)) {
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		cells := strings.Split(text, "|")
		if len(cells) != 6 {
			return nil, fmt.Errorf("%s: %d columns, want 6: %s", path, len(cells), text)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		m := mutant{cells[0], cells[1], cells[2], cells[3], written(cells[4]), strings.Split(cells[5], ", ")}
		if names[m.name] && m.base != m.name {
			return nil, fmt.Errorf("%s: two rows are called %q", path, m.name)
		}
		names[m.name] = true
		all = append(all, m)
	}
	return all, nil
}

// written decodes a value of the table: ␠ is a blank, and x×9 is nine times x.
func written(cell string) string {
	cell = strings.ReplaceAll(cell, "␠", " ")
	before, number, found := strings.Cut(cell, "×")
	if !found {
		return cell
	}
	digits := len(number) - len(strings.TrimLeft(number, "0123456789"))
	times, err := strconv.Atoi(number[:digits])
	if err != nil {
		return cell
	}
	start := strings.LastIndexByte(before, '>') + 1
	return before[:start] + strings.Repeat(before[start:], times) + number[digits:]
}

func (m mutant) apply(document []byte) ([]byte, error) {
	if document == nil {
		return nil, fmt.Errorf("there is no base document %q", m.base)
	}
	tree, err := parseTree(document)
	if err != nil {
		return nil, err
	}
	if err := m.change(tree.Root()); err != nil {
		return nil, err
	}
	return tree.WriteToBytes()
}

// parseTree parses a document for changing and writing it.
func parseTree(document []byte) (*etree.Document, error) {
	tree := etree.NewDocument()
	tree.WriteSettings = etree.WriteSettings{CanonicalEndTags: true, CanonicalText: true, CanonicalAttrVal: true}
	return tree, tree.ReadFromBytes(document)
}

func (m mutant) change(root *etree.Element) error {
	path, attribute, _ := strings.Cut(m.path, "/@")
	at := root.FindElement(path)
	if at == nil {
		return fmt.Errorf("the document has no %s", path)
	}
	if attribute != "" {
		return changeAttribute(at, attribute, m.op, m.value)
	}
	parent := at.Parent()
	switch m.op {
	case "delete":
		parent.RemoveChildAt(at.Index())
	case "empty", "set":
		at.Child = nil
		if m.value != "" {
			at.SetText(m.value)
		}
	case "twice":
		parent.InsertChildAt(at.Index()+1, at.Copy())
	case "last":
		parent.AddChild(at)
	case "before", "after", "into", "replace":
		return insert(at, m.op, m.value)
	default:
		return fmt.Errorf("unknown operation %q", m.op)
	}
	return nil
}

func changeAttribute(at *etree.Element, name, op, value string) error {
	switch op {
	case "delete":
		if at.RemoveAttr(name) == nil {
			return fmt.Errorf("%s has no attribute %s", at.Tag, name)
		}
	case "empty", "set":
		at.CreateAttr(name, value)
	default:
		return fmt.Errorf("operation %q is not possible on an attribute", op)
	}
	return nil
}

// insert inserts elements before or after an element, at the end of its
// children, or in its place.
func insert(at *etree.Element, op, xml string) error {
	fragment := etree.NewDocument()
	if err := fragment.ReadFromString("<f>" + xml + "</f>"); err != nil {
		return err
	}
	added := fragment.Root().ChildElements()
	if len(added) == 0 {
		return errors.New("the value contains no element")
	}
	parent, index := at.Parent(), at.Index()
	switch op {
	case "into":
		parent, index = at, len(at.Child)
	case "after":
		index++
	case "replace":
		parent.RemoveChildAt(index)
	}
	for i, e := range slices.Clone(added) {
		parent.InsertChildAt(index+i, e)
	}
	return nil
}

func TestMutantOperations(t *testing.T) {
	const document = `<Invoice><a x="1">A</a><b><c>C</c></b></Invoice>`
	cases := []struct{ op, path, value, want string }{
		{"delete", "a", "", `<Invoice><b><c>C</c></b></Invoice>`},
		{"delete", "a/@x", "", `<Invoice><a>A</a><b><c>C</c></b></Invoice>`},
		{"empty", "b/c", "", `<Invoice><a x="1">A</a><b><c></c></b></Invoice>`},
		{"set", "a", "␠z×3", `<Invoice><a x="1"> z z z</a><b><c>C</c></b></Invoice>`},
		{"set", "a/@x", "2", `<Invoice><a x="2">A</a><b><c>C</c></b></Invoice>`},
		{"twice", "b/c", "", `<Invoice><a x="1">A</a><b><c>C</c><c>C</c></b></Invoice>`},
		{"last", "a", "", `<Invoice><b><c>C</c></b><a x="1">A</a></Invoice>`},
		{"before", "b", "<d>z×2</d><e/>", `<Invoice><a x="1">A</a><d>zz</d><e></e><b><c>C</c></b></Invoice>`},
		{"after", "a", "<d/>", `<Invoice><a x="1">A</a><d></d><b><c>C</c></b></Invoice>`},
		{"into", "b", "<d/>", `<Invoice><a x="1">A</a><b><c>C</c><d></d></b></Invoice>`},
		{"replace", "b", "<d/>", `<Invoice><a x="1">A</a><d></d></Invoice>`},
	}
	for _, c := range cases {
		got, err := mutant{op: c.op, path: c.path, value: written(c.value)}.apply([]byte(document))
		if err != nil || string(got) != c.want {
			t.Errorf("%s %s: got %s %v, want %s", c.op, c.path, got, err, c.want)
		}
	}
	for _, m := range []mutant{{op: "delete", path: "z"}, {op: "delete", path: "a/@z"}, {op: "twice", path: "a/@x"}, {op: "paint", path: "a"}, {op: "after", path: "a"}} {
		if _, err := m.apply([]byte(document)); err == nil {
			t.Errorf("%s %s succeeded, want an error", m.op, m.path)
		}
	}
}
