package testtool

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"strings"
	"sync"
)

// Zeros returns the given number of mebibytes of zeros in zlib format. It repeats one
// compressed mebibyte, because compressing them all takes longer than the tests that
// use them.
func Zeros(mebibytes int) string {
	const emptyLastBlock = "\x01\x00\x00\xff\xff"
	checksum := binary.BigEndian.AppendUint32(nil, uint32(mebibytes<<20%65521)<<16|1) // Adler-32 of zeros
	return "\x78\x9c" + strings.Repeat(mebibyteOfZeros(), mebibytes) + emptyLastBlock + string(checksum)
}

// mebibyteOfZeros returns deflate blocks of a mebibyte of zeros that refer to nothing
// before them and end at a byte boundary.
var mebibyteOfZeros = sync.OnceValue(func() string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(make([]byte, 1<<20))
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		panic(err) // writes to a buffer do not fail
	}
	return b.String()
})
