package pdfa

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
)

// face is one font program. It is immutable and shared by all documents.
type face struct {
	name      string // PostScript name
	em        int    // units per em
	ascent    int
	descent   int
	capHeight int
	box       [4]int
	bold      bool

	advances []uint16
	bearings []int16
	glyf     []byte
	loca     []uint32

	metrics *font.Font // nil for the face of signs
	covers  []uint64   // bit set of the characters of the Basic Multilingual Plane
	shapers sync.Pool  // of *shaper
}

// shaper holds the buffers that HarfBuzz needs.
type shaper struct {
	font *harfbuzz.Font
	buf  *harfbuzz.Buffer
}

func u16(b []byte, at int) int { return int(binary.BigEndian.Uint16(b[at:])) }
func i16(b []byte, at int) int { return int(int16(u16(b, at))) }
func u32(b []byte, at int) int { return int(binary.BigEndian.Uint32(b[at:])) }

// readFace parses a TrueType font. The font must be trusted: its tables are not
// checked.
func readFace(name string, data []byte) (*face, error) {
	parsed, err := font.ParseTTF(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read font %s: %w", name, err)
	}
	tables := map[string][]byte{}
	for i := range u16(data, 4) {
		row := data[12+16*i:]
		at, n := u32(row, 8), u32(row, 12)
		tables[string(row[:4])] = data[at : at+n]
	}
	for _, tag := range []string{"head", "hhea", "maxp", "hmtx", "loca", "glyf", "OS/2"} {
		if tables[tag] == nil {
			return nil, fmt.Errorf("read font %s: no table %s", name, tag)
		}
	}
	f := &face{name: name, metrics: parsed.Font, glyf: tables["glyf"]}
	f.readMetrics(tables)
	f.readCoverage()
	f.shapers.New = func() any {
		return &shaper{harfbuzz.NewFont(font.NewFace(f.metrics)), harfbuzz.NewBuffer()}
	}
	return f, nil
}

func (f *face) readMetrics(tables map[string][]byte) {
	head, hhea, hmtx, loca, os2 := tables["head"], tables["hhea"], tables["hmtx"], tables["loca"], tables["OS/2"]
	f.em = u16(head, 18)
	for i := range f.box {
		f.box[i] = i16(head, 36+2*i)
	}
	f.bold = u16(head, 44)&1 != 0
	f.ascent, f.descent, f.capHeight = i16(hhea, 4), i16(hhea, 6), i16(hhea, 4)
	if u16(os2, 0) >= 2 {
		f.capHeight = i16(os2, 88)
	}
	glyphs, full := u16(tables["maxp"], 4), u16(hhea, 34)
	f.advances, f.bearings = make([]uint16, glyphs), make([]int16, glyphs)
	for g := range glyphs {
		if g < full {
			f.advances[g], f.bearings[g] = uint16(u16(hmtx, 4*g)), int16(u16(hmtx, 4*g+2))
			continue
		}
		f.advances[g], f.bearings[g] = f.advances[full-1], int16(u16(hmtx, 4*full+2*(g-full)))
	}
	f.loca = make([]uint32, glyphs+1)
	for g := range f.loca {
		if u16(head, 50) == 0 {
			f.loca[g] = 2 * uint32(u16(loca, 2*g))
		} else {
			f.loca[g] = uint32(u32(loca, 4*g))
		}
	}
}

func (f *face) readCoverage() {
	f.covers = make([]uint64, 1<<16/64)
	for r := range rune(1 << 16) {
		if g, ok := f.metrics.NominalGlyph(r); ok && g != 0 {
			f.covers[r>>6] |= 1 << (r & 63)
		}
	}
}

// has reports whether the face has a glyph for the character.
func (f *face) has(r rune) bool {
	if f.metrics == nil {
		return true // the face of signs draws something for every character
	}
	return r < 1<<16 && f.covers[r>>6]&(1<<(r&63)) != 0
}

// advance returns the advance width of a glyph in font units.
func (f *face) advance(gid uint32) int {
	if f.metrics == nil {
		return signWidth(rune(gid))
	}
	return int(f.advances[gid])
}

// outline returns the TrueType outline of a glyph and its left side bearing.
func (f *face) outline(gid uint32) ([]byte, int) {
	if f.metrics == nil {
		o := signOutline(rune(gid))
		if len(o) == 0 {
			return nil, 0
		}
		return o, i16(o, 2)
	}
	return f.glyf[f.loca[gid]:f.loca[gid+1]], int(f.bearings[gid])
}
