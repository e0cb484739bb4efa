package witness

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

// canonical must return the same bytes as goxmldsig and leave the tree
// unchanged.
func TestCanonicalMatchesLibrary(t *testing.T) {
	documents := []string{
		`<a xmlns="u" xmlns:b="v" b:z="1" y="2" a="3"><b:c xmlns:b="v" xmlns="u"><d xmlns=""><e xmlns="" xmlns:b="w" b:q="&lt;&#13;&quot;"/></d></b:c>t&amp;&gt;<!-- c --></a>`,
		`<a><b xmlns=""><c xmlns="u"><d xmlns=""/><e xmlns="u"/></c></b> <?p i?> <![CDATA[<x>&]]></a>`,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		documents = append(documents, grown(random, 5))
	}
	for _, text := range documents {
		doc := etree.NewDocument()
		if err := doc.ReadFromString(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		before, _ := doc.WriteToString()
		want, err := dsig.MakeC14N11Canonicalizer().Canonicalize(doc.Root())
		if err != nil {
			t.Fatal(err)
		}
		got, err := canonical(doc.Root(), nil)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("canonical form of %s\ngot  %s, %v\nwant %s", text, got, err, want)
		}
		if after, _ := doc.WriteToString(); after != before {
			t.Fatalf("canonical changed the tree from %s to %s", before, after)
		}
	}
}

// grown returns a random element with namespace declarations, attributes,
// comments and text.
func grown(random *rand.Rand, depth int) string {
	var b strings.Builder
	name := []string{"a", "p:b", "q:c"}[random.IntN(3)]
	b.WriteString("<" + name)
	for _, a := range []string{`xmlns`, `xmlns:p`, `xmlns:q`} {
		if random.IntN(3) == 0 {
			fmt.Fprintf(&b, ` %s="u%d"`, a, random.IntN(2))
		}
	}
	for _, a := range []string{`z`, `p:a`, `q:y`, `xml:lang`, `b`} {
		if random.IntN(3) == 0 {
			fmt.Fprintf(&b, ` %s="%d &lt;&#9;"`, a, random.IntN(9))
		}
	}
	b.WriteString(">")
	for range random.IntN(4) {
		switch {
		case random.IntN(4) == 0:
			b.WriteString("<!-- c -->")
		case depth > 0 && random.IntN(2) == 0:
			b.WriteString(grown(random, depth-1))
		default:
			b.WriteString("ن &amp; \n")
		}
	}
	return b.String() + "</" + name + ">"
}
