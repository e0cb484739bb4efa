package pdfa

import "encoding/binary"

// subset builds a TrueType font of the glyphs that a document uses, without hinting
// instructions.
type subset struct {
	face  *face
	slots []glyph           // the used glyphs, then the parts of composite glyphs
	first map[uint32]uint16 // glyph ID of the face to the slot of its unshifted outline
	glyf  []byte
	loca  []uint32
	hmtx  []byte

	points, contours, parts int // maximum of all glyphs
	composite               bool
}

// Flags of a part of a composite glyph.
const (
	argsAreWords   = 0x0001
	argsAreOffsets = 0x0002
	hasScale       = 0x0008
	hasMoreParts   = 0x0020
	hasTwoScales   = 0x0040
	hasMatrix      = 0x0080
	hasHinting     = 0x0100
)

// program returns the font file of the used glyphs.
func (u *usedFont) program() []byte {
	s := &subset{face: u.face, slots: append([]glyph(nil), u.slots...), first: make(map[uint32]uint16, len(u.slots))}
	for i, g := range u.slots {
		if _, ok := s.first[g.gid]; !ok && g.plain() {
			s.first[g.gid] = uint16(i)
		}
	}
	for i := 0; i < len(s.slots); i++ { // add appends to s.slots
		s.loca = append(s.loca, uint32(len(s.glyf)))
		bearing := s.add(&s.slots[i])
		s.hmtx = binary.BigEndian.AppendUint16(s.hmtx, uint16(s.slots[i].advance))
		s.hmtx = binary.BigEndian.AppendUint16(s.hmtx, uint16(int16(bearing)))
		if len(s.glyf)%2 != 0 {
			s.glyf = append(s.glyf, 0)
		}
	}
	s.loca = append(s.loca, uint32(len(s.glyf)))
	return s.font()
}

// part returns the slot of a glyph that is part of a composite glyph.
func (s *subset) part(gid uint32) uint16 {
	if slot, ok := s.first[gid]; ok {
		return slot
	}
	slot := uint16(len(s.slots))
	s.first[gid] = slot
	s.slots = append(s.slots, glyph{gid: gid, advance: int16(s.face.advance(gid))})
	return slot
}

// plain reports whether g is an unchanged glyph of the face.
func (g *glyph) plain() bool { return g.dx == 0 && g.dy == 0 && g.more == "" }

// add appends the outline of a slot and returns its left side bearing.
func (s *subset) add(g *glyph) int {
	if !g.plain() {
		return s.assembled(g)
	}
	d, bearing := s.face.outline(g.gid)
	switch {
	case len(d) == 0:
		return 0
	case i16(d, 0) < 0:
		s.compound(d)
	default:
		s.simple(d)
	}
	return bearing
}

// assembled appends a composite glyph made of shifted glyphs of the face.
func (s *subset) assembled(g *glyph) int {
	var body []byte
	box, last, parts := [4]int{}, 0, 0
	place := func(gid uint32, dx, dy int) {
		d, _ := s.face.outline(gid)
		if len(d) == 0 {
			return
		}
		b := [4]int{i16(d, 2) + dx, i16(d, 4) + dy, i16(d, 6) + dx, i16(d, 8) + dy}
		if parts == 0 {
			box = b
		}
		box = [4]int{min(box[0], b[0]), min(box[1], b[1]), max(box[2], b[2]), max(box[3], b[3])}
		last = len(body)
		for _, v := range []int{argsAreWords | argsAreOffsets | hasMoreParts, int(s.part(gid)), dx, dy} {
			body = binary.BigEndian.AppendUint16(body, uint16(v))
		}
		parts++
	}
	place(g.gid, int(g.dx), int(g.dy))
	for more := []byte(g.more); len(more) > 0; more = more[6:] {
		place(uint32(u16(more, 0)), i16(more, 2), i16(more, 4))
	}
	if parts == 0 {
		return 0
	}
	body[last+1] &^= hasMoreParts
	for _, v := range []int{-1, box[0], box[1], box[2], box[3]} {
		s.glyf = binary.BigEndian.AppendUint16(s.glyf, uint16(v))
	}
	s.glyf = append(s.glyf, body...)
	s.composite, s.parts = true, max(s.parts, parts)
	return box[0]
}

// simple copies an outline without its instructions.
func (s *subset) simple(d []byte) {
	contours := i16(d, 0)
	ends := 10 + 2*contours
	points := 0
	if contours > 0 {
		points = u16(d, ends-2) + 1
	}
	s.points, s.contours = max(s.points, points), max(s.contours, contours)
	s.glyf = append(append(s.glyf, d[:ends]...), 0, 0)
	rest := d[ends+2+u16(d, ends):]
	s.glyf = append(s.glyf, rest[:pointsLength(rest, points)]...)
}

// pointsLength returns the number of bytes of the points of an outline.
func pointsLength(d []byte, points int) int {
	flags, coordinates := 0, 0
	for n := 0; n < points; {
		flag := d[flags]
		flags++
		repeat := 1
		if flag&8 != 0 {
			repeat += int(d[flags])
			flags++
		}
		size := 0
		for _, bits := range [2][2]byte{{2, 16}, {4, 32}} { // x, then y
			if flag&bits[0] != 0 {
				size++
			} else if flag&bits[1] == 0 {
				size += 2
			}
		}
		coordinates += size * repeat
		n += repeat
	}
	return flags + coordinates
}

// compound copies a composite glyph and adds its parts to the subset.
func (s *subset) compound(d []byte) {
	start := len(s.glyf)
	s.glyf = append(s.glyf, d...)
	c := s.glyf[start:]
	at, parts := 10, 0
	for more := true; more; {
		flags := u16(c, at)
		slot := s.part(uint32(u16(c, at+2)))
		binary.BigEndian.PutUint16(c[at:], uint16(flags&^hasHinting))
		binary.BigEndian.PutUint16(c[at+2:], slot)
		at += 6
		if flags&argsAreWords != 0 {
			at += 2
		}
		switch {
		case flags&hasScale != 0:
			at += 2
		case flags&hasTwoScales != 0:
			at += 4
		case flags&hasMatrix != 0:
			at += 8
		}
		parts++
		more = flags&hasMoreParts != 0
	}
	s.glyf = s.glyf[:start+at]
	s.composite, s.parts = true, max(s.parts, parts)
}
