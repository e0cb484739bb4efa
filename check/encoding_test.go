package check_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"khatm/check"
	"khatm/sample"
	"khatm/ubl"
	"khatm/witness"
)

// encoded is a document in another encoding or version of XML.
type encoded struct {
	name     string
	document []byte
	refused  bool
}

func wide(order binary.AppendByteOrder, text string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

// encodings returns a document in many encodings. Everything that is not refused
// has the same canonical form, except the documents with other line ends.
func encodings(document []byte) []encoded {
	_, body, _ := strings.Cut(string(document), "<Invoice")
	body = "<Invoice" + body
	spaced := strings.Replace(body, "<cbc:ProfileID>", "\n<cbc:ProfileID\n>", 1)
	var narrow strings.Builder
	for _, r := range body {
		if r < 0x80 {
			narrow.WriteRune(r)
		} else {
			fmt.Fprintf(&narrow, "&#%d;", r)
		}
	}
	head := func(version, encoding string) string {
		return `<?xml version="` + version + `" encoding="` + encoding + `"?>`
	}
	mark := func(order binary.AppendByteOrder) []byte { return order.AppendUint16(nil, 0xFEFF) }
	big, little := binary.BigEndian, binary.LittleEndian
	ascii := narrow.String()
	all := []encoded{
		{"UTF-8", document, false},
		{"UTF-16, big-endian, mark", append(mark(big), wide(big, head("1.0", "UTF-16")+body)...), false},
		{"UTF-16, little-endian, mark", append(mark(little), wide(little, head("1.0", "UTF-16")+body)...), false},
		{"UTF-16, mark, no declaration", append(mark(little), wide(little, body)...), false},
		{"UTF-16, big-endian, declared", wide(big, head("1.0", "UTF-16BE")+body), false},
		{"UTF-16, little-endian, declared", wide(little, head("1.0", "UTF-16")+body), false},
		{"ISO-8859-1", []byte(head("1.0", "ISO-8859-1") + ascii), false},
		{"windows-1252", []byte(head("1.0", "windows-1252") + ascii), false},
		{"US-ASCII", []byte(head("1.0", "US-ASCII") + ascii), false},
		{"XML 1.1", []byte(head("1.1", "UTF-8") + body), false},
		{"XML 1.1 in UTF-16", append(mark(big), wide(big, head("1.1", "UTF-16")+body)...), false},

		{"UTF-16 without mark and declaration", wide(big, body), true},
		{"UTF-16 that declares UTF-8", append(mark(little), wide(little, head("1.0", "UTF-8")+body)...), true},
		{"UTF-8 that declares UTF-16", []byte(head("1.0", "UTF-16") + body), true},
		{"UTF-16 with an odd number of bytes", append(mark(big), append(wide(big, body), 0)...), true},
		{"XML 1.1 with a control character", []byte(head("1.1", "UTF-8") + strings.Replace(body, "<cbc:ProfileID>", "<cbc:ProfileID>\x7F", 1)), true},
		{"XML 1.2", []byte(head("1.2", "UTF-8") + body), true},
	}
	// Line ends between elements are part of the canonical form, so that the stamp
	// of these documents is not valid.
	return append(all,
		encoded{"line ends", []byte(head("1.0", "UTF-8") + spaced), false},
		encoded{"XML 1.1 with its own line ends", []byte(head("1.1", "UTF-8") + strings.ReplaceAll(spaced, "\n", "\u0085")), false},
		encoded{"XML 1.1 with two line ends in a row", []byte(head("1.1", "UTF-8") + strings.ReplaceAll(spaced, "\n", "\r\u2028")), false},
	)
}

// TestEncodings checks that a stamped document in another encoding has no
// findings, and the same hash.
func TestEncodings(t *testing.T) {
	document := sealed(t, sample.Simplified())
	want, err := witness.Verify(document, witness.Expect{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range encodings(document) {
		read, err := check.Read(e.document)
		if (err != nil) != e.refused {
			t.Errorf("%s: Read returns %v, want refusal %v", e.name, err, e.refused)
		}
		if err != nil || strings.Contains(e.name, "line ends") {
			continue
		}
		if found := read.All(now.Add(time.Hour)); len(found) > 0 {
			t.Errorf("%s: findings are %+v, want none", e.name, found)
		}
		if got := hashOf(t, e.document); got != want.Hash {
			t.Errorf("%s: hash is %s, want %s", e.name, got, want.Hash)
		}
	}
}

func hashOf(t *testing.T, document []byte) string {
	t.Helper()
	converted, err := ubl.ToUTF8(document)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(converted, witness.Expect{})
	if err != nil {
		t.Fatal(err)
	}
	return report.Hash
}

// TestConformanceEncodings compares which encodings the official schema check
// accepts, and the official hash.
func TestConformanceEncodings(t *testing.T) {
	oracle := os.Getenv("KHATM_ORACLE")
	if oracle == "" {
		t.Skip("KHATM_ORACLE is not set; set it to a program that checks XML with the official rule sheets")
	}
	all := encodings(sealed(t, sample.Simplified()))
	folder := t.TempDir()
	for i, e := range all {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%02d.xml", i)), e.document, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(oracle, "--json", "--now", now.Add(time.Hour).Format(time.RFC3339), folder).Output()
	var ended *exec.ExitError // exit status 1 if it refuses a document
	if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 1) {
		t.Fatal(err)
	}
	answers := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(answers) != len(all) {
		t.Fatalf("%d answers, want %d: %.500s", len(answers), len(all), out)
	}
	for i, e := range all {
		var official struct{ Stages, Info map[string]string }
		if err := json.Unmarshal(answers[i], &official); err != nil {
			t.Fatal(err)
		}
		if refused := official.Stages["XSD"] != "PASS"; refused != e.refused {
			t.Errorf("%s: the official refusal is %v, ours %v", e.name, refused, e.refused)
		}
		if !e.refused && official.Info["hash"] != hashOf(t, e.document) {
			t.Errorf("%s: the official hash is %s, ours %s", e.name, official.Info["hash"], hashOf(t, e.document))
		}
	}
}
