package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

// A batch in a journal is a zstd frame of JSON lines after a skippable frame, which
// zstd ignores. The skippable frame contains its magic number, its length and one
// line of text:
//
//	DIGEST khatm-archive 1 batch 000000000001 bytes 000001234 lines 000005678
//
// The digest is the SHA-256 of the rest of the batch: of the text from the space
// after the digest to the end of the zstd frame. Then come the sequence number of the
// batch, the size of the zstd frame and the size of the lines.
const (
	skippable  = 0x184D2A5A
	prefixSize = 8 // magic number and length
	digestSize = 2 * sha256.Size
	layout     = " khatm-archive 1 batch %012d bytes %09d lines %09d\n"
	textSize   = digestSize + len(" khatm-archive 1 batch 000000000001 bytes 000001234 lines 000005678\n")
	headSize   = prefixSize + textSize
)

// Limits of a batch: bytes of its lines, and of the zstd frame, which is larger if
// the lines cannot be compressed.
const (
	maxLines  = 64 << 20
	maxPacked = maxLines + maxLines/64 + 1024
)

// packed is a batch without its sequence number.
type packed struct {
	text  []byte // zstd frame after room for the head
	lines int    // size before compression
}

// pack compresses lines into a batch. It uses the memory of buffer if there is enough.
func pack(e *zstd.Encoder, lines, buffer []byte) packed {
	buffer = append(buffer[:0], make([]byte, headSize)...)
	return packed{text: e.EncodeAll(lines, buffer), lines: len(lines)}
}

// batch returns the batch with a sequence number. The result is valid until the next
// call.
func (p packed) batch(seq uint64) []byte {
	b := p.text
	text := fmt.Appendf(nil, layout, seq, len(b)-headSize, p.lines)
	if len(text) != textSize-digestSize {
		panic(fmt.Sprintf("archive: the head of batch %d has %d bytes", seq, len(text)))
	}
	copy(b, magic)
	copy(b[prefixSize+digestSize:], text)
	digest := sha256.Sum256(b[prefixSize+digestSize:])
	hex.Encode(b[prefixSize:], digest[:])
	return b
}

// magic begins every batch.
var magic = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, skippable), uint32(textSize))

var headText = regexp.MustCompile(`^([0-9a-f]{64}) khatm-archive 1 batch ([0-9]{12}) bytes ([0-9]{9}) lines ([0-9]{9})\n$`)

// head is what precedes the zstd frame of a batch.
type head struct {
	digest string
	seq    uint64
	frame  int // size of the zstd frame
	lines  int // size of the lines
}

// parseHead parses the first headSize bytes of a batch.
func parseHead(b []byte) (head, bool) {
	if len(b) < headSize || !bytes.HasPrefix(b, magic) {
		return head{}, false
	}
	m := headText.FindSubmatch(b[prefixSize:headSize])
	if m == nil {
		return head{}, false
	}
	seq, _ := strconv.ParseUint(string(m[2]), 10, 64) // digits only
	frame, _ := strconv.Atoi(string(m[3]))
	lines, _ := strconv.Atoi(string(m[4]))
	h := head{digest: string(m[1]), seq: seq, frame: frame, lines: lines}
	return h, frame <= maxPacked && lines <= maxLines
}

// size returns the size of the batch.
func (h head) size() int { return headSize + h.frame }

// verifies reports whether the bytes of a batch have the digest.
func (h head) verifies(b []byte) bool {
	digest := sha256.Sum256(b[prefixSize+digestSize : h.size()])
	return hex.EncodeToString(digest[:]) == h.digest
}
