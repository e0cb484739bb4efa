package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/google/uuid"
)

// The sources of a fact about a document, in the order in which the facts of
// one document are processed.
const (
	factStored byte = iota + 1
	factTrail
	factAuthority
	factClient
)

// factSize is the length of a fact in bytes.
const factSize = 16 + 1 + 8 + 32 + 32 + 8 + 4 + 2 + 1 + 1 + 1

// fact is what one stream records about one document, in a record of fixed size.
// Sorting the records brings the facts of a document together.
type fact struct {
	id      uuid.UUID
	kind    byte
	order   uint64   // position in its stream
	hash    [32]byte // invoice hash; for a client's request: digest of its Idempotency-Key
	body    [32]byte // SHA-256 of the request body
	counter uint64
	device  uint32 // index in the list of devices
	code    uint16 // HTTP status
	status  byte   // index of a Status
	said    byte   // verdict of the authority
	cleared bool   // for the authority: sent to clearance
	hasBody bool
	created bool // for the trail: the document was created; for a row: after the first request of the clients
	keyed   bool // for a client: the request had an Idempotency-Key
}

func (f fact) bytes() []byte {
	b := make([]byte, 0, factSize)
	b = append(b, f.id[:]...)
	b = append(b, f.kind)
	b = binary.BigEndian.AppendUint64(b, f.order)
	b = append(b, f.hash[:]...)
	b = append(b, f.body[:]...)
	b = binary.BigEndian.AppendUint64(b, f.counter)
	b = binary.BigEndian.AppendUint32(b, f.device)
	b = binary.BigEndian.AppendUint16(b, f.code)
	return append(b, f.status, f.said, pack(f.cleared, f.hasBody, f.created, f.keyed))
}

func factOf(b []byte) fact {
	f := fact{
		id: uuid.UUID(b[:16]), kind: b[16], order: binary.BigEndian.Uint64(b[17:]),
		hash: [32]byte(b[25:57]), body: [32]byte(b[57:89]),
		counter: binary.BigEndian.Uint64(b[89:]), device: binary.BigEndian.Uint32(b[97:]), code: binary.BigEndian.Uint16(b[101:]),
		status: b[103], said: b[104],
	}
	f.cleared, f.hasBody, f.created, f.keyed = b[105]&1 != 0, b[105]&2 != 0, b[105]&4 != 0, b[105]&8 != 0
	return f
}

func pack(bits ...bool) (b byte) {
	for i, set := range bits {
		if set {
			b |= 1 << i
		}
	}
	return b
}

// positionSize is the length of a position in bytes.
const positionSize = 4 + 8 + 16

// position is a document's counter in the chain of a device, as the authority
// received it.
type position struct {
	device  uint32
	counter uint64
	id      uuid.UUID
}

func (p position) bytes() []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, positionSize), p.device)
	return append(binary.BigEndian.AppendUint64(b, p.counter), p.id[:]...)
}

func positionOf(b []byte) position {
	return position{binary.BigEndian.Uint32(b), binary.BigEndian.Uint64(b[4:]), uuid.UUID(b[12:28])}
}

func digest(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// parseCounter parses a counter. It returns 0 for any other text.
func parseCounter(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return 0
	}
	return n
}
