package ubl_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"khatm/ubl"
)

// attributes returns count different attributes.
func attributes(count int) string {
	var out strings.Builder
	for i := range count {
		fmt.Fprintf(&out, ` a%d=""`, i)
	}
	return out.String()
}

// nested returns a document with depth nested elements below the root.
func nested(depth int) string {
	return in(strings.Repeat("<a>", depth) + strings.Repeat("</a>", depth))
}

func TestReadRefusesBeyondBounds(t *testing.T) {
	deep := "/Invoice" + strings.Repeat("/a", ubl.MaxDepth-1)
	long := strings.Repeat("n", ubl.MaxName+1)
	spread := strings.Repeat("<b"+attributes(50)+"/>", ubl.MaxElements/50)
	refuse(t, []refusal{
		{"attributes of an element", in("\n<b" + attributes(ubl.MaxAttributes+1) + "/>"), 2, "/Invoice", "attributes"},
		{"attributes of the document", in(spread), 1, "/Invoice", "attributes"},
		{"attribute value slightly too long", in(`<b a="` + strings.Repeat("x", 70_000) + `"/>`), 1, "/Invoice", "longer"},
		{"attribute value far too long", in(`<b a="` + strings.Repeat("x", 5_000_000) + `"/>`), 1, "/Invoice", "longer"},
		{"attribute value that is never closed", in(`<b a="` + strings.Repeat("x", 5_000_000)), 1, "/Invoice", "not closed"},
		{"depth exceeded by one", strings.ReplaceAll(nested(ubl.MaxDepth), "<a>", `<a xmlns="`+invoiceNS+`">`), 1, deep, "deeper"},
		{"depth far exceeded", nested(100_000), 1, deep, "deeper"},
		{"depth without an end", "<Invoice " + usual + ">" + strings.Repeat("<a>", 100_000), 1, deep, "deeper"},
		{"elements", in(strings.Repeat("<a/>", ubl.MaxElements)), 1, "/Invoice", "elements"},
		{"bytes", in("<!--" + strings.Repeat(" ", ubl.MaxBytes) + "-->"), 1, "", "bytes"},
		{"name of an element", in("\n<" + long + "/>"), 2, "/Invoice", "longer"},
		{"name of an attribute", in("<a " + long + `=""/>`), 1, "/Invoice", "longer"},
		{"name of 5 MB", in("<" + strings.Repeat("n", 5_000_000) + "/>"), 1, "/Invoice", "longer"},
		{"namespace", in(`<a xmlns:p="` + long + `"/>`), 1, "/Invoice", "longer"},
		{"prefixes", in(scopes(2, 40) + "</a></a>"), 1, "/Invoice/a", "prefixes"},
	})
}

// scopes opens depth elements that declare count prefixes each.
func scopes(depth, count int) string {
	var out strings.Builder
	for d := range depth {
		out.WriteString(`<a`)
		for i := range count {
			fmt.Fprintf(&out, ` xmlns:p%d-%d="urn:x"`, d, i)
		}
		out.WriteString(">")
	}
	return out.String()
}

func TestReadAcceptsUpToBounds(t *testing.T) {
	padding := ubl.MaxBytes - len(in("<!---->"))
	cases := []struct{ name, document string }{
		{"attributes", in("<b" + attributes(ubl.MaxAttributes) + "/>")},
		{"attribute value", in(`<b a="` + strings.Repeat("x", ubl.MaxAttribute) + `"/>`)},
		{"depth", nested(ubl.MaxDepth - 1)},
		{"elements", in(strings.Repeat("<a/>", ubl.MaxElements-1))},
		{"bytes", in("<!--" + strings.Repeat(" ", padding) + "-->")},
		{"name", in("<" + strings.Repeat("n", ubl.MaxName) + "/>")},
		{"namespace", in(`<a xmlns:p="` + strings.Repeat("n", ubl.MaxName) + `"/>`)},
		{"prefixes", in(scopes(1, ubl.MaxNamespaces-3) + "</a>")},
		{"prefixes one after the other", in(strings.Repeat(scopes(1, 40)+"</a>", 10))},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ubl.Read([]byte(c.document)); err != nil {
				t.Error(err)
			}
		})
	}
}

// allocated returns the bytes that reading a document allocates, freed or not.
func allocated(document []byte) (bytes uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = ubl.Read(document)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// TestHostileDocumentsStayBounded reads documents made to exhaust a parser. Each
// may allocate a multiple of its own size, whether it is refused or not. With
// quadratic run time the test would not end.
func TestHostileDocumentsStayBounded(t *testing.T) {
	namespace := strings.Repeat("u", ubl.MaxName)
	cases := []struct {
		name, document string
		factor         uint64 // of the size
		read           bool
	}{
		{"entities", "<!DOCTYPE a [" + strings.Repeat(`<!ENTITY a "&b;&b;&b;">`, 100_000) + "]>" + in(good), 2, false},
		{"depth", nested(100_000), 2, false},
		{"attribute", in(`<b a="` + strings.Repeat("&amp;", 1_000_000) + `"/>`), 2, false},
		{"elements", in(strings.Repeat("<a/>", 1_000_000)), 12, false},
		{"empty elements", in(strings.Repeat("<a/>", ubl.MaxElements-1)), 60, true},
		{"attributes", in(strings.Repeat("<b"+attributes(60)+"/>", 3000)), 15, true},
		{"attributes to normalise", in(strings.Repeat("<a b='\t'/>", 190_000)), 30, true},
		{"long namespace on attributes", in(`<a xmlns:p="` + namespace + `">` + strings.Repeat("<b p:c=''/>", 190_000) + "</a>"), 60, true},
		{"declarations", in(strings.Repeat("<a xmlns='x'/>", 190_000)), 50, true},
		{"text in many pieces", in("<cbc:ID>" + strings.Repeat("a<!---->", 1_000_000) + "</cbc:ID>"), 20, true},
		{"references", in("<cbc:ID>" + strings.Repeat("&#97;", 2_000_000) + "</cbc:ID>"), 3, true},
		{"lines", in("<cbc:ID>" + strings.Repeat("\r\n", 4_000_000) + "</cbc:ID>"), 4, true},
		{"many elements after an unknown one", in("<x/>" + strings.Repeat("<cbc:Note>a</cbc:Note>", 190_000)), 15, true},
		{"unknown elements among many", in(strings.Repeat("<x/><cbc:Note/>", 95_000)), 40, true},
		{"many prefixes", in(scopes(1, 60) + strings.Repeat("<b p0-0:c=''/>", 180_000) + "</a>"), 25, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := allocated([]byte(c.document))
			if limit := c.factor * uint64(len(c.document)); got > limit {
				t.Errorf("allocated: got %d bytes for a document of %d, want at most %d times as many", got, len(c.document), c.factor)
			}
			var fault *ubl.SyntaxError
			if c.read && err != nil || !c.read && !errors.As(err, &fault) {
				t.Errorf("Read = %v, want success %v", err, c.read)
			}
			t.Logf("allocated %.1f times the size of the document", float64(got)/float64(len(c.document)))
		})
	}
}
