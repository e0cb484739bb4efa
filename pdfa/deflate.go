package pdfa

import (
	"bytes"

	"github.com/klauspost/compress/zlib"
)

// deflateLevel is the compression level. Higher levels take longer without making
// the files smaller.
const deflateLevel = 5

// deflater is a reusable compressor with its buffer. Creating one is slower than
// compressing most streams.
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
		panic("pdfa: wrong type in the pool of compressors")
	}
	defer f.deflaters.Put(d)
	d.buf.Reset()
	d.w.Reset(&d.buf)
	_, err := d.w.Write(data)
	if err == nil {
		err = d.w.Close()
	}
	if err != nil {
		panic("pdfa: " + err.Error()) // writing to a buffer cannot fail
	}
	return append(out, d.buf.Bytes()...)
}
