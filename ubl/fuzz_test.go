package ubl_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/beevik/etree"
	"github.com/google/go-cmp/cmp"
	dsig "github.com/russellhaering/goxmldsig"

	"khatm/sample"
	"khatm/ubl"
)

// seed adds all variants of a document, a fragment of a stamp and some hostile
// input. It adds no whole stamped documents, because the fuzzer would spend its
// time shortening them; TestParseOfSamples runs the same check on them.
func seed(f *testing.F) {
	f.Helper()
	for _, c := range freedoms(f) {
		f.Add([]byte(c.document))
	}
	for _, text := range []string{
		"", "\uFEFF", "<", "<a", "<a/>", "<a></a", "<a b", "<a b=", "<a b='", "&", "<!", "<!-", "<!--", "<?", "<?a", "<![CDATA[",
		"<a>]]&gt;</a>", "<a>]]<![CDATA[]]]]><![CDATA[>]]></a>", "<a>&#x10FFFF;&#9;&#xD;\r</a>", "<a b='&#xD;\r&#x9;\t'/>",
		"<p:a xmlns:p='u' p:b='1' b='2'/>", "<a xmlns='u'><b xmlns=''/><c/></a>", "<a xmlns:p='u'><p:b xmlns:p='v'/><p:c/></a>",
		"<a xml:lang='x'/>", "<?xml version='1.0'?><?xml-a b?><a/>", "<!DOCTYPE a><a/>", "<a>x<b/>y<!--z--> <c/></a>", "<a/><b/>", "<a><b></a></b>",
		`<e:UBLExtensions xmlns:e="` + extNS + `"><e:ExtensionContent><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Id="signature">` +
			`<x:Cert xmlns:x="http://uri.etsi.org/01903/v1.3.2#"/></ds:Signature></e:ExtensionContent></e:UBLExtensions>`,
		in("<cac:AccountingSupplierParty/><cbc:Note b='\t\"&lt;' a='>'>&#13;&lt;&gt;\"</cbc:Note><cbc:ID>1</cbc:ID><cbc:ID>2</cbc:ID>"),
	} {
		f.Add([]byte(text))
	}
}

func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(checkParse)
}

func TestParseOfSamples(t *testing.T) {
	every := sample.Every()
	for _, c := range sealAll(t, every[len(every)-60:]) {
		checkParse(t, c.XML)
	}
}

// checkParse checks that the standard library parses every document that Parse
// accepts, with the same result. Documents that only the standard library
// accepts are not checked.
func checkParse(t *testing.T, document []byte) {
	ours, err := ubl.Parse(document)
	if err != nil {
		checkSyntaxError(t, document, err)
		return
	}
	theirs, err := parseAgain(document)
	if errors.Is(err, errOtherNames) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("Parse accepted %q, but encoding/xml did not: %v", document, err)
	}
	if simplify(ours); !reflect.DeepEqual(ours, theirs) {
		t.Errorf("%q (-encoding/xml +Parse)\n%s", document, cmp.Diff(theirs, ours))
	}
}

func checkSyntaxError(t *testing.T, document []byte, err error) {
	t.Helper()
	var fault *ubl.SyntaxError
	if !errors.As(err, &fault) {
		t.Fatalf("error is a %T, want a SyntaxError", err)
	}
	if lines := 1 + bytes.Count(document, []byte("\n")); fault.Line < 1 || fault.Line > lines {
		t.Errorf("error is in line %d, want 1 to %d", fault.Line, lines)
	}
}

// simplify removes from our tree what the standard library does not provide:
// line numbers, and the normalisation of white space.
func simplify(n *ubl.Node) {
	n.Name, n.Line, n.Spaced = blanks.Replace(n.Name), 0, false
	for i := range n.Attrs {
		n.Attrs[i].Name = blanks.Replace(n.Attrs[i].Name)
		n.Attrs[i].Value = blanks.Replace(n.Attrs[i].Value)
	}
	for _, c := range n.Children {
		simplify(c)
	}
}

// blanks normalises white space in attributes, which the standard library does
// not do.
var blanks = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

// errOtherNames is returned where the standard library differs: it uses an older
// list of letters for names, and gives an element called xmlns no namespace.
var errOtherNames = errors.New("the parsers do not agree on names")

// parseAgain parses a document with the standard library.
func parseAgain(document []byte) (*ubl.Node, error) {
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(document, []byte("\uFEFF"))))
	outside := &ubl.Node{}
	open := []*ubl.Node{outside}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return outside.Children[0], nil
		}
		if err != nil {
			if strings.Contains(err.Error(), "name") && bytes.ContainsFunc(document, func(r rune) bool { return r > 0x7F }) {
				err = errOtherNames
			}
			return nil, err
		}
		last := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "xmlns" {
				return nil, errOtherNames
			}
			n := &ubl.Node{Name: usualName(token.Name), Attrs: attributesOf(token)}
			last.Children = append(last.Children, n)
			open = append(open, n)
		case xml.CharData:
			last.Text += string(token)
		case xml.EndElement:
			if len(last.Children) > 0 && strings.Trim(last.Text, " \t\r\n") == "" {
				last.Text = ""
			}
			open = open[:len(open)-1]
		}
	}
}

func attributesOf(start xml.StartElement) []ubl.Attr {
	var attrs []ubl.Attr
	for _, a := range start.Attr {
		if a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns" {
			continue
		}
		name := a.Name.Local
		if a.Name.Space != "" {
			name = "{" + a.Name.Space + "}" + name
		}
		attrs = append(attrs, ubl.Attr{Name: blanks.Replace(name), Value: blanks.Replace(a.Value)})
	}
	return attrs
}

// usualName returns name in the form of Node.Name: with the usual prefix, or
// {namespace}local.
func usualName(name xml.Name) string {
	const schema = "urn:oasis:names:specification:ubl:schema:xsd:"
	prefixes := map[string]string{
		invoiceNS:                              "",
		cacNS:                                  "cac:",
		cbcNS:                                  "cbc:",
		extNS:                                  "ext:",
		schema + "CommonSignatureComponents-2": "sig:",
		schema + "SignatureAggregateComponents-2": "sac:",
		schema + "SignatureBasicComponents-2":     "sbc:",
		"http://www.w3.org/2000/09/xmldsig#":      "ds:",
		"http://uri.etsi.org/01903/v1.3.2#":       "xades:",
	}
	if prefix, ok := prefixes[name.Space]; ok {
		return prefix + name.Local
	}
	return blanks.Replace("{" + name.Space + "}" + name.Local)
}

// FuzzRoundTrip checks that a document that can be read and written is
// canonical, and that reading and writing it again returns the same bytes.
func FuzzRoundTrip(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, document []byte) {
		inv, err := ubl.Read(document)
		if err != nil {
			return
		}
		canon, err := ubl.Write(inv)
		if err != nil {
			return
		}
		written := canon.Bytes()
		back, err := ubl.Read(written)
		if err != nil {
			t.Fatalf("%q was written as %q, which cannot be read: %v", document, written, err)
		}
		again, err := ubl.Write(back)
		if err != nil {
			t.Fatalf("%q cannot be written again: %v", written, err)
		}
		if !reflect.DeepEqual(canon, again) {
			t.Errorf("written again: %s", parting(again.Bytes(), written))
		}
		tree := etree.NewDocument()
		if err := tree.ReadFromBytes(written); err != nil {
			t.Fatalf("%q: %v", written, err)
		}
		theirs, err := dsig.MakeC14N11Canonicalizer().Canonicalize(tree.Root())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(theirs, written) {
			t.Errorf("not canonical: %s", parting(written, theirs))
		}
	})
}
