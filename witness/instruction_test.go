package witness_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"khatm/witness"
)

// Processing instructions are part of the canonical form: inside the root in
// their place, before and behind it on lines of their own, with one blank after
// the target and line ends normalised.
func TestInstructionsAreHashed(t *testing.T) {
	const root = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">`
	for _, c := range []struct{ name, document, canonical string }{
		{"inside", root + "<?x  y z?>a</Invoice>", root + "<?x y z?>a</Invoice>"},
		{"without data", root + "<?x?></Invoice>", root + "<?x?></Invoice>"},
		{"with line ends", root + "<?x y\r\nz\rw?></Invoice>", root + "<?x y\nz\nw?></Invoice>"},
		{"before", `<?xml version="1.0"?><?x y?> <?z?>` + root + "</Invoice>", "<?x y?>\n<?z?>\n" + root + "</Invoice>"},
		{"style sheet first", `<?xml-stylesheet href="x"?>` + root + "</Invoice>", `<?xml-stylesheet href="x"?>` + "\n" + root + "</Invoice>"},
		{"behind", root + "</Invoice>\n<?x y?><!-- c --><?z?>", root + "</Invoice>\n<?x y?>\n<?z?>"},
	} {
		sum := sha256.Sum256([]byte(c.canonical))
		want := base64.StdEncoding.EncodeToString(sum[:])
		if got, err := witness.Hash([]byte(c.document)); err != nil || got != want {
			t.Errorf("%s: hash %s, error %v, want %s", c.name, got, err, want)
		}
	}
}

// Line breaks and tabs in attribute values are hashed as blanks, references to
// them as written. Each line break counts once.
func TestAttributeBreaksAreHashed(t *testing.T) {
	const root = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"`
	for _, c := range []struct{ name, document, canonical string }{
		{"line feed", root + " a=\"x\ny\"></Invoice>", root + ` a="x y"></Invoice>`},
		{"carriage return", root + " a='x\r\ny\rz'></Invoice>", root + ` a="x y z"></Invoice>`},
		{"tab", root + " a=\"x\t\ty\"><!-- \"\n\" --></Invoice>", root + ` a="x  y"></Invoice>`},
		{"reference", root + " a=\"x&#10;\ny\"></Invoice>", root + ` a="x&#xA; y"></Invoice>`},
		{"outside a value", root + "\n\ta=\"x\"\n></Invoice>", root + ` a="x"></Invoice>`},
		{"in a text", root + ">\"\n\"</Invoice>", root + ">\"\n\"</Invoice>"},
	} {
		sum := sha256.Sum256([]byte(c.canonical))
		want := base64.StdEncoding.EncodeToString(sum[:])
		if got, err := witness.Hash([]byte(c.document)); err != nil || got != want {
			t.Errorf("%s: hash %s, error %v, want %s", c.name, got, err, want)
		}
	}
}

// Many findings of one kind must not hide the first of another.
func TestEveryKindIsListed(t *testing.T) {
	document := strings.Replace(stamped(t, layout{}), "<cac:InvoiceLine>", strings.Repeat("<cbc:Note>a<!-- -->b</cbc:Note>", 300)+"<cac:InvoiceLine>", 1)
	got := strings.Fields(ids(verify(t, document, witness.Expect{})))
	for _, want := range append(strings.Fields(hashed), "comment", "more-findings") {
		if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+want+" ") {
			t.Errorf("finding %s is missing among %d", want, len(got))
		}
	}
	if len(got) > 110 {
		t.Errorf("got %d findings, want at most 110", len(got))
	}
}
