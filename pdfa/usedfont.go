package pdfa

import (
	"crypto/sha256"
	"fmt"
	"strconv"
)

// usedFont holds the glyphs of a face that a document uses. Each combination of an
// outline and a Unicode text has a slot, whose index is both the character code in
// the content and the glyph ID in the embedded font.
type usedFont struct {
	face  *face
	id    int
	name  string
	slots []glyph
	index map[glyph]uint16
	quick []uint16 // glyph ID of the face to its first slot
}

// maxSlots leaves room for the parts of composite glyphs; 65,535 is the limit.
const maxSlots = 60_000

func newUsedFont(f *face, n int) *usedFont {
	u := &usedFont{face: f, name: "F" + strconv.Itoa(n), index: map[glyph]uint16{}, quick: make([]uint16, len(f.advances))}
	u.slots = append(make([]glyph, 0, 256), glyph{advance: int16(f.advance(0)), text: "\uFFFD"})
	return u
}

// slot returns the slot of a glyph, regardless of its kern. It adds a slot for
// a new glyph.
func (u *usedFont) slot(g *glyph) uint16 {
	if int(g.gid) < len(u.quick) {
		if s := u.quick[g.gid]; s != 0 && u.slots[s].same(g) {
			return s
		}
	}
	key := *g
	key.kern = 0
	s, ok := u.index[key]
	if ok {
		return s
	}
	if len(u.slots) >= maxSlots {
		return uint16(len(u.slots) - 1) // no real document has so many different glyphs
	}
	s = uint16(len(u.slots))
	u.slots = append(u.slots, key)
	u.index[key] = s
	if int(g.gid) < len(u.quick) && u.quick[g.gid] == 0 {
		u.quick[g.gid] = s
	}
	return s
}

func (g *glyph) same(h *glyph) bool {
	return g.gid == h.gid && g.advance == h.advance && g.dx == h.dx && g.dy == h.dy && g.more == h.more && g.text == h.text
}

// write writes the font: its program, its widths and its ToUnicode map.
func (u *usedFont) write(o *objects) {
	f := u.face
	descriptor, descendant, program, meaning := o.next(), o.next(), o.next(), o.next()
	data := u.program()
	digest := sha256.Sum256(data)
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + digest[i]%26
	}
	base := string(tag) + "+" + f.name
	o.stream(program, "/Length1 "+strconv.Itoa(len(data)), data)
	o.stream(meaning, "", u.toUnicode())
	o.putf(u.id, "<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>", base, descendant, meaning)
	o.putf(descendant, "<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor %d 0 R/CIDToGIDMap/Identity/DW 0/W[0[%s]]>>", base, descriptor, u.widths())
	stem := 80
	if f.bold {
		stem = 140
	}
	o.putf(descriptor, "<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[%d %d %d %d]/ItalicAngle 0/Ascent %d/Descent %d/CapHeight %d/StemV %d/FontFile2 %d 0 R>>",
		base, f.milli(f.box[0]), f.milli(f.box[1]), f.milli(f.box[2]), f.milli(f.box[3]), f.milli(f.ascent), f.milli(f.descent), f.milli(f.capHeight), stem, program)
}

// milli converts font units to thousandths of an em.
func (f *face) milli(v int) int { return v * 1000 / f.em }

func (u *usedFont) widths() []byte {
	var b []byte
	for _, g := range u.slots {
		b = append(decimal(b, float64(g.advance)*1000/float64(u.face.em), 3), ' ')
	}
	return b
}

// toUnicode returns the map of character codes to Unicode.
func (u *usedFont) toUnicode() []byte {
	const most = 100 // maximum number of entries per block
	b := []byte("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n" +
		"/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000><FFFF>\nendcodespacerange\n")
	for from := 1; from < len(u.slots); from += most {
		to := min(from+most, len(u.slots))
		b = fmt.Appendf(b, "%d beginbfchar\n", to-from)
		for i := from; i < to; i++ {
			b = append(hex4(append(b, '<'), uint16(i)), "><"...)
			b = append(utf16Hex(b, u.slots[i].text), ">\n"...)
		}
		b = append(b, "endbfchar\n"...)
	}
	return append(b, "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"...)
}
