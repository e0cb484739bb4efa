package pdfa

import (
	"crypto/sha256"
	"fmt"
	"strconv"
)

// objects writes the objects of the file, most of them into object streams, and
// the cross-reference.
type objects struct {
	fonts  *Fonts
	out    []byte
	places []place // by object number
	packed []byte  // objects that will be written to object streams
	ids    []int   // numbers of the packed objects
	starts []int   // offsets of the packed objects
	z      []byte
}

// place is a row of the cross-reference stream: kind 1 is an offset in the file,
// kind 2 an index in an object stream.
type place struct {
	kind byte
	a, b int
}

// perStream is the number of objects per object stream.
const perStream = 200

func newObjects(f *Fonts) *objects {
	o := &objects{fonts: f, places: make([]place, 1, 512), packed: make([]byte, 0, 32<<10)}
	o.places[0].b = 65535
	// The comment marks the file as binary.
	o.out = append(make([]byte, 0, 64<<10), "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"...)
	return o
}

// next returns a new object number.
func (o *objects) next() int {
	o.places = append(o.places, place{})
	return len(o.places) - 1
}

// put writes an object that is not a stream.
func (o *objects) put(id int, body []byte) {
	o.ids, o.starts = append(o.ids, id), append(o.starts, len(o.packed))
	o.packed = append(append(o.packed, body...), '\n')
}

func (o *objects) putf(id int, format string, args ...any) {
	o.ids, o.starts = append(o.ids, id), append(o.starts, len(o.packed))
	o.packed = append(fmt.Appendf(o.packed, format, args...), '\n')
}

// stream compresses data and writes it as a stream. dict contains further entries
// of its dictionary.
func (o *objects) stream(id int, dict string, data []byte) {
	o.z = o.fonts.deflate(o.z[:0], data)
	o.raw(id, dict+"/Filter/FlateDecode", o.z)
}

// raw writes data as a stream without compressing it.
func (o *objects) raw(id int, dict string, data []byte) {
	o.places[id] = place{1, len(o.out), 0}
	o.out = strconv.AppendInt(o.out, int64(id), 10)
	o.out = append(o.out, " 0 obj\n<<"...)
	o.out = append(o.out, dict...)
	o.out = append(o.out, "/Length "...)
	o.out = strconv.AppendInt(o.out, int64(len(data)), 10)
	o.out = append(o.out, ">>\nstream\n"...)
	o.out = append(o.out, data...)
	o.out = append(o.out, "\nendstream\nendobj\n"...)
}

// flush writes the packed objects to object streams.
func (o *objects) flush() {
	for from := 0; from < len(o.ids); from += perStream {
		to := min(from+perStream, len(o.ids))
		id := o.next()
		var body []byte
		for i := from; i < to; i++ {
			body = strconv.AppendInt(body, int64(o.ids[i]), 10)
			body = append(body, ' ')
			body = strconv.AppendInt(body, int64(o.starts[i]-o.starts[from]), 10)
			body = append(body, ' ')
			o.places[o.ids[i]] = place{2, id, i - from}
		}
		first, end := len(body), len(o.packed)
		if to < len(o.ids) {
			end = o.starts[to]
		}
		body = append(body, o.packed[o.starts[from]:end]...)
		o.stream(id, fmt.Sprintf("/Type/ObjStm/N %d/First %d", to-from, first), body)
	}
}

// finish writes the object streams and the cross-reference stream. The file
// identifier is a hash of the preceding bytes, so it is deterministic.
func (o *objects) finish(catalog, info int) []byte {
	o.flush()
	id := o.next()
	o.places[id] = place{1, len(o.out), 0}
	rows := make([]byte, 0, 7*len(o.places))
	for _, p := range o.places {
		rows = append(rows, p.kind, byte(p.a>>24), byte(p.a>>16), byte(p.a>>8), byte(p.a), byte(p.b>>8), byte(p.b))
	}
	start := len(o.out)
	digest := sha256.Sum256(o.out)
	o.stream(id, fmt.Sprintf("/Type/XRef/Size %d/W[1 4 2]/Root %d 0 R/Info %d 0 R/ID[<%X><%X>]",
		len(o.places), catalog, info, digest[:16], digest[:16]), rows)
	o.out = fmt.Appendf(o.out, "startxref\n%d\n%%%%EOF\n", start)
	return o.out
}
