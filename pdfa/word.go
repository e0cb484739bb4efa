package pdfa

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// glyph is one glyph of a word in visual order, in units of its face. A letter
// with its marks is one glyph of several parts.
type glyph struct {
	gid     uint32
	advance int16  // of the glyph in the file, which may differ from the font's
	dx, dy  int16  // shift of the outline within the glyph in the file
	kern    int16  // further move after it
	more    string // further parts: glyph and shift, six bytes each
	text    string
}

// appendPart writes a further glyph of the face, as glyph.more holds it.
func appendPart(b []byte, gid uint32, dx, dy int) []byte {
	for _, v := range []int{int(gid), dx, dy} {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return b
}

// word is a shaped piece of text in one face and one direction, without a
// space in it. It depends on nothing around it: no letter joins across a space.
type word struct {
	face   *face
	glyphs []glyph
	width  float64 // in em
}

// bakedKern is the share of an em from which a kern inside an Arabic word is
// made part of the glyph's width: readers of text take a wide move for a space.
const bakedKern = 0.04

// joinless turns off the ligatures that are a matter of taste; the required
// ones, lam-alef above all, are another feature.
var joinless = []harfbuzz.Feature{
	{Tag: opentype.MustNewTag("liga"), End: harfbuzz.FeatureGlobalEnd},
	{Tag: opentype.MustNewTag("dlig"), End: harfbuzz.FeatureGlobalEnd},
	{Tag: opentype.MustNewTag("clig"), End: harfbuzz.FeatureGlobalEnd},
}

// word shapes a piece of text, or remembers it.
func (f *Fonts) word(k wordKey) *word {
	if w := f.words.get(k); w != nil {
		return w
	}
	k.text = strings.Clone(k.text) // do not keep the whole text for its word
	w := &word{face: k.face}
	if k.face.metrics == nil {
		w.drawSigns(k.text, k.rtl)
	} else {
		w.shape(k.text, k.rtl)
	}
	total := 0
	for _, g := range w.glyphs {
		total += int(g.advance) + int(g.kern)
	}
	w.width = float64(total) / float64(k.face.em)
	f.words.put(k, w)
	return w
}

// drawSigns gives each character its sign.
func (w *word) drawSigns(text string, rtl bool) {
	for i, r := range text {
		if isInvisible(r) {
			continue
		}
		t := text[i : i+utf8.RuneLen(r)]
		if isPrivate(r) {
			t = "\uFFFD"
		}
		w.glyphs = append(w.glyphs, glyph{gid: uint32(r), advance: int16(signWidth(r)), text: t})
	}
	if rtl {
		slices.Reverse(w.glyphs)
	}
}

// shape lets HarfBuzz choose and place the glyphs.
func (w *word) shape(text string, rtl bool) {
	sh, ok := w.face.shapers.Get().(*shaper)
	if !ok {
		panic("pdfa: the pool of shapers holds something else")
	}
	defer w.face.shapers.Put(sh)
	runes := []rune(text)
	buf := sh.buf
	buf.Clear()
	buf.ClusterLevel = harfbuzz.MonotoneGraphemes
	buf.Flags = harfbuzz.RemoveDefaultIgnorables
	buf.AddRunes(runes, 0, len(runes))
	// All three are set, or HarfBuzz would look into the environment for one.
	buf.Props = harfbuzz.SegmentProperties{Direction: harfbuzz.LeftToRight, Script: script(runes), Language: "en"}
	var features []harfbuzz.Feature
	if rtl {
		buf.Props.Direction, buf.Props.Language = harfbuzz.RightToLeft, "ar"
		features = joinless
	}
	buf.Shape(sh.font, features)
	w.take(buf, text, rtl)
}

func script(runes []rune) language.Script {
	for _, r := range runes {
		if s := language.LookupScript(r); s.Strong() && s != language.Unknown {
			return s
		}
	}
	return language.Latin
}

// take turns the result of shaping into glyphs as the file will hold them: one
// for each cluster, which means the characters from its own to the next that
// has a glyph. Marks apart from their letters would be torn off, turned round or
// given a space by one or another program that reads text.
func (w *word) take(buf *harfbuzz.Buffer, text string, rtl bool) {
	at := make([]int, 0, len(text)+1) // the place of each character in text
	for i := range text {
		at = append(at, i)
	}
	at = append(at, len(text))
	ends := make([]int, len(at)) // where the meaning ends that begins here, 0 for none
	for i := range buf.Info {
		ends[buf.Info[i].Cluster] = 1
	}
	end := len(at) - 1
	for i := end - 1; i >= 0; i-- {
		if ends[i] != 0 {
			ends[i], end = end, i
		}
	}
	n := len(buf.Info)
	w.glyphs = make([]glyph, 0, n)
	for i := 0; i < n; {
		first, j := buf.Info[i].Cluster, i+1
		for j < n && buf.Info[j].Cluster == first {
			j++
		}
		meaning := "\u200B" // every code of a font must have one
		if ends[first] != 0 {
			if t := clusterText(text[at[first]:at[ends[first]]], rtl); t != "" {
				meaning = t
			}
			ends[first] = 0
		}
		w.add(buf, i, j, meaning, rtl && j < n)
		i = j
	}
}

// clusterText is what a glyph means. Programs that read text out of a page take
// glyphs from left to right and turn what is Arabic round, ligatures included,
// so a ligature must mean its letters in reverse.
func clusterText(s string, rtl bool) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case isInvisible(r):
			return -1
		case isPrivate(r):
			return utf8.RuneError
		}
		return r
	}, s)
	if !rtl || utf8.RuneCountInString(s) < 2 {
		return s
	}
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// add appends the glyphs i to j of the buffer as one. A wide kern inside an
// Arabic word becomes part of its width.
func (w *word) add(buf *harfbuzz.Buffer, i, j int, meaning string, inside bool) {
	g := glyph{gid: uint32(buf.Info[i].Glyph), dx: int16(buf.Pos[i].XOffset), dy: int16(buf.Pos[i].YOffset), text: meaning}
	pen := int(buf.Pos[i].XAdvance)
	var more []byte
	for k := i + 1; k < j; k++ {
		pos := buf.Pos[k]
		more = appendPart(more, uint32(buf.Info[k].Glyph), pen+int(pos.XOffset), int(pos.YOffset))
		pen += int(pos.XAdvance)
	}
	g.more = string(more)
	own := w.face.advance(g.gid)
	kern := pen - own
	if j-i > 1 || pen == 0 || inside && float64(kern) >= bakedKern*float64(w.face.em) {
		own, kern = pen, 0
	}
	g.advance, g.kern = int16(own), int16(kern)
	w.glyphs = append(w.glyphs, g)
}
