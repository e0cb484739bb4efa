package paper_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// placed is a text of one or more words, with its position on the page.
type placed struct {
	Left   float64 `xml:"xMin,attr"`
	Top    float64 `xml:"yMin,attr"`
	Right  float64 `xml:"xMax,attr"`
	Bottom float64 `xml:"yMax,attr"`
	Text   string  `xml:",chardata"`
}

func (p placed) middle() float64 { return (p.Top + p.Bottom) / 2 }
func (p placed) height() float64 { return p.Bottom - p.Top }

// spaced is the maximum distance between words of one text, in points.
const spaced = 4

// figuresOn returns the numbers of a PDF by the heading above or the label beside them.
func figuresOn(t *testing.T, reader string, pdf []byte) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, words := range wordsOn(t, reader, pdf) {
		texts := joined(words)
		for i, p := range texts {
			words := strings.Fields(p.Text)
			last := number(words[len(words)-1])
			before := strings.Join(words[:len(words)-1], " ")
			heading := before
			switch {
			case last == "":
				continue
			case len(words) == 1:
				heading = above(texts[:i], p)
			case before == "\u20C1" || len(before) == 3:
				heading = beside(texts, p) + " ="
			}
			found[heading] = append(found[heading], last)
		}
	}
	return found
}

// wordsOn returns the words on each page of a PDF.
func wordsOn(t *testing.T, reader string, pdf []byte) [][]placed {
	t.Helper()
	read := exec.Command(reader, "-bbox", "-", "-")
	read.Stdin = bytes.NewReader(pdf)
	out, err := read.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Pages []struct {
			Words []placed `xml:"word"`
		} `xml:"body>doc>page"`
	}
	decoder := xml.NewDecoder(bytes.NewReader(out))
	decoder.Strict, decoder.Entity = false, xml.HTMLEntity
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	var pages [][]placed
	for _, page := range all.Pages {
		pages = append(pages, page.Words)
	}
	return pages
}

// joined joins adjacent words into texts, sorted from top to bottom.
func joined(words []placed) []placed {
	var texts []placed
	for _, w := range words {
		if n := len(texts) - 1; n >= 0 {
			if last := &texts[n]; math.Abs(last.middle()-w.middle()) < 2 && w.Left > last.Left && w.Left-last.Right < spaced {
				last.Text += " " + w.Text
				last.Right, last.Top, last.Bottom = w.Right, w.Top, w.Bottom
				continue
			}
		}
		texts = append(texts, w)
	}
	slices.SortStableFunc(texts, func(a, b placed) int { return cmp.Compare(a.middle(), b.middle()) })
	return texts
}

// above returns the nearest heading above a number with the same right edge.
func above(texts []placed, figure placed) string {
	var heading []string
	last := placed{}
	for i := len(texts) - 1; i >= 0; i-- {
		p := texts[i]
		if math.Abs(p.Right-figure.Right) > 0.7 || utf8.RuneCountInString(p.Text) < 2 || strings.ContainsAny(p.Text, "0123456789") {
			continue
		}
		if len(heading) > 0 && last.Top-p.Top > 1.3*last.height() {
			break
		}
		heading, last = append([]string{p.Text}, heading...), p
	}
	return strings.Join(heading, " ")
}

// beside returns the label to the left of an amount, which may have several lines.
func beside(texts []placed, amount placed) string {
	label := placed{}
	for _, p := range texts {
		if math.Abs(p.middle()-amount.middle()) < 2.5 && p.Right < amount.Left && p.Right > label.Right {
			label = p
		}
	}
	said := label.Text
	for _, p := range texts {
		if down := p.Top - label.Top; math.Abs(p.Left-label.Left) < 0.5 && down > 1 && down < 1.1*label.height() {
			said, label = said+" "+p.Text, p
		}
	}
	return said
}
