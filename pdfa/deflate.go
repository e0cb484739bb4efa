package pdfa

import (
	"bytes"

	"github.com/klauspost/compress/zlib"
)

// deflateLevel is where size stops falling and time keeps growing.
const deflateLevel = 5

// deflater is a compressor with its buffer; making one costs more than most
// streams do.
type deflater struct {
	w   *zlib.Writer
	buf bytes.Buffer
}

func newDeflater() *deflater {
	d := &deflater{}
	w, err := zlib.NewWriterLevel(&d.buf, deflateLevel)
	if err != nil {
		panic("pdfa: " + err.Error()) // the level is a constant
	}
	d.w = w
	return d
}

// deflate appends the compressed data to out.
func (f *Fonts) deflate(out, data []byte) []byte {
	d, ok := f.deflaters.Get().(*deflater)
	if !ok {
		panic("pdfa: the pool of compressors holds something else")
	}
	defer f.deflaters.Put(d)
	d.buf.Reset()
	d.w.Reset(&d.buf)
	_, err := d.w.Write(data)
	if err == nil {
		err = d.w.Close()
	}
	if err != nil {
		panic("pdfa: " + err.Error()) // memory does not refuse a write
	}
	return append(out, d.buf.Bytes()...)
}
