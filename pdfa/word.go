package pdfa

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// glyph is one glyph of a word, in font units. A letter with its marks is one glyph
// of several parts.
type glyph struct {
	gid     uint32
	advance int16  // advance width in the embedded font, which may differ from the face
	dx, dy  int16  // shift of the outline in the embedded font
	kern    int16  // additional advance after the glyph
	more    string // further parts: glyph ID and shift, six bytes each
	text    string // Unicode text of the glyph
}

// appendPart appends a part to the encoding of glyph.more.
func appendPart(b []byte, gid uint32, dx, dy int) []byte {
	for _, v := range []int{int(gid), dx, dy} {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return b
}

// word is a shaped text of one face and one direction, without spaces. Its shape
// does not depend on its neighbours, because letters do not join across a space.
type word struct {
	face   *face
	glyphs []glyph
	width  float64 // in em
}

// bakedKern is the kern, in em, from which a kern inside an Arabic word becomes
// part of the advance width. Text extractors would interpret a wider gap as a
// space.
const bakedKern = 0.04

// noOptionalLigatures turns off optional ligatures. Required ligatures such as
// lam-alef belong to another feature.
var noOptionalLigatures = []harfbuzz.Feature{
	{Tag: opentype.MustNewTag("liga"), End: harfbuzz.FeatureGlobalEnd},
	{Tag: opentype.MustNewTag("dlig"), End: harfbuzz.FeatureGlobalEnd},
	{Tag: opentype.MustNewTag("clig"), End: harfbuzz.FeatureGlobalEnd},
}

// word returns the shaped word from the cache, or shapes it.
func (f *Fonts) word(k wordKey) *word {
	if w := f.words.get(k); w != nil {
		return w
	}
	k.text = strings.Clone(k.text) // so that the cache does not retain the whole text
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

// drawSigns uses the face of signs, with one glyph for each character and the
// characters that belong to it.
func (w *word) drawSigns(text string, rtl bool) {
	for text != "" {
		n := signLength(text)
		r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text[:n], isInvisible))
		if t := clusterText(text[:n], rtl); t != "" {
			w.glyphs = append(w.glyphs, glyph{gid: uint32(r), advance: int16(signWidth(r)), text: t})
		}
		text = text[n:]
	}
	if rtl {
		slices.Reverse(w.glyphs)
	}
}

// signLength returns the length of the first character of a text with what belongs
// to it: marks and vowel signs, the colour of a skin, the second letter of a flag,
// and what follows a joiner. It is a simple form of UAX #29, enough for a sign that
// stands for the whole.
func signLength(text string) int {
	count, flags, joined := 0, 0, true // nothing precedes the first character
	for i, r := range text {
		flag := r >= 0x1F1E6 && r <= 0x1F1FF
		switch count++; {
		case count > maxMarks:
			return i
		case joined, isInvisible(r), unicode.Is(unicode.M, r), r >= 0x1F3FB && r <= 0x1F3FF, flag && flags == 1:
		default:
			return i
		}
		if flag {
			flags++
		} else {
			flags = 0
		}
		joined = r == 0x200D || joined && isInvisible(r)
	}
	return len(text)
}

// shape shapes the text with HarfBuzz.
func (w *word) shape(text string, rtl bool) {
	sh, ok := w.face.shapers.Get().(*shaper)
	if !ok {
		panic("pdfa: wrong type in the pool of shapers")
	}
	defer w.face.shapers.Put(sh)
	runes := []rune(text)
	buf := sh.buf
	buf.Clear()
	buf.ClusterLevel = harfbuzz.MonotoneGraphemes
	buf.Flags = harfbuzz.RemoveDefaultIgnorables
	buf.AddRunes(runes, 0, len(runes))
	// Set all three; otherwise HarfBuzz reads the language from the environment.
	buf.Props = harfbuzz.SegmentProperties{Direction: harfbuzz.LeftToRight, Script: script(runes), Language: "en"}
	var features []harfbuzz.Feature
	if rtl {
		buf.Props.Direction, buf.Props.Language = harfbuzz.RightToLeft, "ar"
		features = noOptionalLigatures
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

// take converts the result of shaping to glyphs, one per cluster. The text of a
// cluster extends to the next character that begins a cluster. If marks had their
// own glyphs, some text extractors would separate them from their letters, change
// their order or insert a space.
func (w *word) take(buf *harfbuzz.Buffer, text string, rtl bool) {
	at := make([]int, 0, len(text)+1) // offset of each character in text
	for i := range text {
		at = append(at, i)
	}
	at = append(at, len(text))
	ends := make([]int, len(at)) // end of the cluster that begins here, or 0
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
		meaning := "\u200B" // every character code must have a Unicode text
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

// clusterText returns the Unicode text of a glyph. Text extractors read glyphs from
// left to right and then reverse Arabic text, including the letters of a ligature.
// Therefore the text of a ligature has its letters in reverse.
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

// add appends the glyphs i to j-1 of the buffer as one glyph. A wide kern inside an
// Arabic word becomes part of the advance width; see bakedKern.
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
