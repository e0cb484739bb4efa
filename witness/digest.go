package witness

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// invoiceHash returns the SHA-256 of the canonical form of the document without
// the elements in leftOut. The white space around those elements is hashed.
func invoiceHash(root *etree.Element, leftOut elements) ([]byte, error) {
	text, err := canonicalWithout(root, leftOut)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

func canonicalWithout(root *etree.Element, leftOut elements) ([]byte, error) {
	text, err := canonical(root, leftOut)
	if err != nil {
		return nil, &Unreadable{Reason: "has no canonical form: " + err.Error()}
	}
	before, behind := instructionsBeside(root)
	return slices.Concat(before, text, behind), nil
}

// instructionsBeside returns the canonical form of the processing instructions
// before and behind the root element.
func instructionsBeside(root *etree.Element) (before, behind []byte) {
	var ahead, later bytes.Buffer
	for _, token := range root.Parent().Child {
		instruction, is := token.(*etree.ProcInst)
		switch {
		case !is:
		case instruction.Index() < root.Index():
			instruction.WriteTo(&ahead, &etree.WriteSettings{})
			ahead.WriteByte('\n')
		default:
			later.WriteByte('\n')
			instruction.WriteTo(&later, &etree.WriteSettings{})
		}
	}
	return ahead.Bytes(), later.Bytes()
}

// hexDigest returns a digest as the authority writes it: base64 of the
// hexadecimal text.
func hexDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(sum[:])))
}

// strictBase64 decodes base64. It accepts only the canonical encoding: padded,
// without white space and without stray bits.
func strictBase64(text string) ([]byte, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, err
	}
	if len(text) != base64.StdEncoding.EncodedLen(len(raw)) {
		// The decoder ignores line breaks.
		return nil, fmt.Errorf("base64 contains line breaks")
	}
	return raw, nil
}

// fragment writes an element as the authority digests it: on its own, with each
// namespace declared where it is first used, and with self-closing empty
// elements. The result is not Canonical XML.
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

// markupEscaped is created once: creating it takes longer than using it.
var markupEscaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func escape(text string, quoted bool) string {
	text = markupEscaped.Replace(text)
	if quoted {
		text = strings.ReplaceAll(text, `"`, "&quot;")
	}
	return text
}
