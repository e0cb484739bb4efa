package witness

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// invoiceHash is SHA-256 over the canonical form of the document without the
// elements left out. Only the elements go; white space around them stays.
func invoiceHash(root *etree.Element, leftOut []*etree.Element) ([]byte, error) {
	text, err := canonicalWithout(root, leftOut)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

func canonicalWithout(root *etree.Element, leftOut []*etree.Element) ([]byte, error) {
	// A shallow copy: what is left out here stays in the document.
	stripped := &etree.Element{Space: root.Space, Tag: root.Tag, Attr: slices.Clone(root.Attr)}
	skip := map[etree.Token]bool{}
	for _, el := range leftOut {
		skip[el] = true
	}
	for _, token := range root.Child {
		if skip[token] {
			continue
		}
		stripped.Child = append(stripped.Child, token)
	}
	text, err := canonical(stripped)
	if err != nil {
		return nil, &Unreadable{Reason: "has no canonical form: " + err.Error()}
	}
	return text, nil
}

// hexDigest is the authority's form of a digest: base64 of the hex text.
func hexDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(sum[:])))
}

// strictBase64 takes only the one canonical spelling: padded, no white space,
// no stray bits.
func strictBase64(text string) ([]byte, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, err
	}
	if len(text) != base64.StdEncoding.EncodedLen(len(raw)) {
		// The decoder skips line ends.
		return nil, fmt.Errorf("base64 has line ends")
	}
	return raw, nil
}

// fragment writes an element as the authority digests it: alone, each
// namespace declared where it first comes to be needed, empty elements closed
// in themselves. It is not canonical XML.
func fragment(el *etree.Element) string {
	var b strings.Builder
	writeFragment(&b, el, nil)
	return b.String()
}

func writeFragment(b *strings.Builder, el *etree.Element, scope []binding) {
	own := binding{el.Space, spaceOf(el, el.Space)}
	tag := el.FullTag()
	b.WriteString("<" + tag)
	if !slices.Contains(scope, own) {
		scope = append(scope[:len(scope):len(scope)], own)
		b.WriteString(" xmlns")
		if own.prefix != "" {
			b.WriteString(":" + own.prefix)
		}
		b.WriteString(`="` + escape(own.space, true) + `"`)
	}
	for _, attr := range el.Attr {
		if _, is := declares(attr.Space, attr.Key); !is {
			b.WriteString(" " + attr.FullKey() + `="` + escape(attr.Value, true) + `"`)
		}
	}
	if len(el.Child) == 0 {
		b.WriteString("/>")
		return
	}
	b.WriteString(">")
	for _, token := range el.Child {
		switch token := token.(type) {
		case *etree.Element:
			writeFragment(b, token, scope)
		case *etree.CharData:
			b.WriteString(escape(token.Data, false))
		}
	}
	b.WriteString("</" + tag + ">")
}

// markupEscaped is made once: making it costs more than using it.
var markupEscaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func escape(text string, quoted bool) string {
	text = markupEscaped.Replace(text)
	if quoted {
		text = strings.ReplaceAll(text, `"`, "&quot;")
	}
	return text
}
