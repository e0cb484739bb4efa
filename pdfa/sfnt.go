package pdfa

import (
	"encoding/binary"
	"math/bits"
)

// font returns the font file of the subset.
func (s *subset) font() []byte {
	n := len(s.slots)
	long := len(s.glyf) > 0x1FFFE
	var loca []byte
	for _, at := range s.loca {
		if long {
			loca = binary.BigEndian.AppendUint32(loca, at)
		} else {
			loca = binary.BigEndian.AppendUint16(loca, uint16(at/2))
		}
	}
	// The format requires the tables to be sorted by tag.
	return sfnt([]table{
		{"glyf", s.glyf}, {"head", s.head(long)}, {"hhea", s.hhea(n)}, {"hmtx", s.hmtx}, {"loca", loca}, {"maxp", s.maxp(n)},
	})
}

type table struct {
	tag  string
	data []byte
}

func (s *subset) head(long bool) []byte {
	b := make([]byte, 54)
	binary.BigEndian.PutUint32(b, 0x00010000)
	binary.BigEndian.PutUint32(b[4:], 0x00010000)
	binary.BigEndian.PutUint32(b[12:], 0x5F0F3CF5)
	binary.BigEndian.PutUint16(b[16:], 0b1001) // base line at 0, whole pixels
	binary.BigEndian.PutUint16(b[18:], uint16(s.face.em))
	for i, v := range s.face.box {
		binary.BigEndian.PutUint16(b[36+2*i:], uint16(int16(v)))
	}
	if s.face.bold {
		b[45] = 1
	}
	binary.BigEndian.PutUint16(b[46:], 8) // smallest readable size
	binary.BigEndian.PutUint16(b[48:], 2) // direction hint
	if long {
		b[51] = 1
	}
	return b
}

func (s *subset) hhea(glyphs int) []byte {
	b := make([]byte, 36)
	binary.BigEndian.PutUint32(b, 0x00010000)
	binary.BigEndian.PutUint16(b[4:], uint16(int16(s.face.ascent)))
	binary.BigEndian.PutUint16(b[6:], uint16(int16(s.face.descent)))
	widest := int16(0)
	for _, g := range s.slots {
		widest = max(widest, g.advance)
	}
	binary.BigEndian.PutUint16(b[10:], uint16(widest))
	binary.BigEndian.PutUint16(b[18:], 1) // an upright caret
	binary.BigEndian.PutUint16(b[34:], uint16(glyphs))
	return b
}

func (s *subset) maxp(glyphs int) []byte {
	b := make([]byte, 32)
	binary.BigEndian.PutUint32(b, 0x00010000)
	depth, points, contours := 0, 0, 0
	if s.composite {
		// Parts are nested at most twice: a shifted mark that is itself composite.
		depth, points, contours = 3, min(s.points*max(s.parts, 1)*2, 0xFFFF), min(s.contours*max(s.parts, 1)*2, 0xFFFF)
	}
	for i, v := range []int{glyphs, s.points, s.contours, points, contours, 2, 0, 0, 0, 0, 0, 0, s.parts, depth} {
		binary.BigEndian.PutUint16(b[4+2*i:], uint16(v))
	}
	return b
}

// sfnt returns a font file with the tables and their checksums.
func sfnt(tables []table) []byte {
	n := len(tables)
	power := bits.Len(uint(n)) - 1
	out := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, v := range []int{n, 16 << power, power, 16*n - 16<<power} {
		out = binary.BigEndian.AppendUint16(out, uint16(v))
	}
	at := len(out) + 16*n
	head := 0
	for _, t := range tables {
		out = append(out, t.tag...)
		for _, v := range []uint32{sum32(t.data), uint32(at), uint32(len(t.data))} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		if t.tag == "head" {
			head = at
		}
		at += (len(t.data) + 3) &^ 3
	}
	for _, t := range tables {
		out = append(out, t.data...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	binary.BigEndian.PutUint32(out[head+8:], 0xB1B0AFBA-sum32(out))
	return out
}

func sum32(b []byte) uint32 {
	var sum uint32
	for ; len(b) >= 4; b = b[4:] {
		sum += binary.BigEndian.Uint32(b)
	}
	if len(b) > 0 {
		var last [4]byte
		copy(last[:], b)
		sum += binary.BigEndian.Uint32(last[:])
	}
	return sum
}
