package paper_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"khatm/codes"
	"khatm/internal/testtool"
	"khatm/paper"
)

// labelled matches the labels of the content, in one or two languages.
var labelled = regexp.MustCompile(`(?m)^(?:fact|uuid|seller|buyer|payment): \[([^\]]*)\] \[`)

// TestLabelsStayOnOneLine checks that no label is broken into lines, on both papers and
// for every kind of identification; without testtool.All, for some of the kinds.
func TestLabelsStayOnOneLine(t *testing.T) {
	reader := testtool.Path(t, "pdftotext")
	documents := map[string][]byte{}
	for _, kind := range []string{"credit", "till", "several-originals", "388-export-z32-usd-discount"} {
		documents[kind] = sealed(t, facts(t, kind)).XML
	}
	for _, id := range testtool.Spread(codes.BuyerIDTypes(), 0, 3) {
		documents["identification "+id.Code] = bytes.ReplaceAll(documents["credit"], []byte(`schemeID="CRN"`), []byte(`schemeID="`+id.Code+`"`))
	}
	for name, document := range documents {
		for _, on := range papers {
			for _, language := range []paper.Language{paper.Bilingual, paper.English} {
				o := paper.Options{Language: language, Paper: on, Supplement: supplement}
				said, err := paper.Said(document, o)
				if err != nil {
					t.Fatal(err)
				}
				text := pageText(t, reader, document, o)
				for _, match := range labelled.FindAllStringSubmatch(said, -1) {
					for label := range strings.SplitSeq(match[1], " / ") {
						if !strings.Contains(text, label) {
							t.Errorf("%s, %s, %s: the label %q is broken", name, on, language, label)
						}
					}
				}
			}
		}
	}
}
