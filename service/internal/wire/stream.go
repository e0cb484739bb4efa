package wire

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"time"

	"khatm/service/internal/capacity"
	"khatm/service/internal/codec"
)

// A response with a codec.Stream is encoded and sent in parts. A response of one
// part is sent like any other, with Content-Length.
const (
	partBytes  = 1 << 20          // bytes claimed at least for a response of several parts
	blockBytes = 64 << 10         // bytes encoded before they are compressed or put aside
	writeBytes = 32 << 10         // bytes written at a time
	writeStill = 30 * time.Second // maximum time to write them
	streamTime = 10 * time.Minute // maximum time to send a response in parts
)

// stream is a response that is encoded in parts.
type stream struct {
	parts  *codec.Parts
	blocks []*block // of the encoded part; the last is being filled
	used   int      // number of blocks that the part uses
	zip    bool     // the caller accepts gzip
	packer *packer  // nil while the response is not compressed
	more   bool     // more parts follow
}

// block is a piece of an encoded part. A part is not one slice, because that would
// be copied several times while it grows.
type block struct{ data []byte }

var blocks = sync.Pool{New: func() any { return &block{make([]byte, 0, blockBytes+blockBytes/8)} }}

// newStream returns a stream of v. It must be closed.
func newStream(r *reply, v reflect.Value, zip bool) *stream {
	s := &stream{parts: codec.NewParts(&r.shape, v), zip: zip, more: true}
	s.parts.After = s.filled
	return s
}

// close makes the buffers available to other responses.
func (s *stream) close() {
	for _, b := range s.blocks {
		if cap(b.data) <= maxKept {
			blocks.Put(b)
		}
	}
	s.blocks = nil
	if s.packer != nil {
		s.packer.release()
		s.packer = nil
	}
}

// next encodes the next part. The result is valid until the next call.
func (s *stream) next() (part [][]byte, err error) {
	if s.packer != nil {
		s.packer.out.Reset()
	}
	s.used = 0
	last, more, err := s.parts.Append(s.block())
	s.blocks[s.used-1].data, s.more = last, more
	if err != nil {
		return nil, err
	}
	if !s.zip || s.packer == nil && !more && len(last) < leastPacked {
		for _, b := range s.blocks[:s.used] {
			part = append(part, b.data)
		}
		return part, nil
	}
	if err := s.compress(last); err != nil {
		return nil, err
	}
	end := s.packer.zip.Close
	if more {
		end = s.packer.zip.Flush
	}
	if err := end(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return [][]byte{s.packer.out.Bytes()}, nil
}

// block returns the buffer of the next block.
func (s *stream) block() []byte {
	if s.used == len(s.blocks) {
		b, _ := blocks.Get().(*block) // the pool holds no other type
		s.blocks = append(s.blocks, b)
	}
	s.used++
	return s.blocks[s.used-1].data[:0]
}

// filled is called after each value with the block that is being filled. A full
// block is compressed and used again, or replaced by another one.
func (s *stream) filled(data []byte) ([]byte, error) {
	if len(data) < blockBytes {
		return data, nil
	}
	if s.zip {
		return data[:0], s.compress(data)
	}
	s.blocks[s.used-1].data = data
	return s.block(), nil
}

func (s *stream) compress(plain []byte) error {
	if s.packer == nil {
		s.packer = newPacker()
	}
	if _, err := s.packer.zip.Write(plain); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	return nil
}

// sendParts sends a response whose first part is encoded, and encodes the others.
// If a part cannot be encoded or sent, it aborts the connection: the client must
// not take what it has received for the whole response.
func (f *Frame) sendParts(w http.ResponseWriter, r *http.Request, row *Route, answer written) {
	part, s := answer.part, answer.stream
	out := paced{w: w, conn: http.NewResponseController(w), still: writeStill, end: time.Now().Add(streamTime)}
	w.WriteHeader(row.Status)
	for {
		if err := out.write(part); err != nil {
			abort(r, true, fmt.Errorf("send the response: %w", err))
		}
		if !s.more {
			return
		}
		err := r.Context().Err()
		if err == nil {
			part, err = s.next()
		}
		if more := partSize(part) - answer.held; err == nil && more > 0 {
			answer.held += more
			err = answer.buffer.Extend(capacity.Patient(r.Context()), more)
		}
		if err != nil {
			abort(r, r.Context().Err() != nil, fmt.Errorf("continue the response: %w", err))
		}
	}
}

func partSize(part [][]byte) (bytes int64) {
	for _, data := range part {
		bytes += int64(len(data))
	}
	return bytes
}

// abort ends a response that was sent in part. The log shows the cause, and the
// status 499 if the client has left, or 500.
func abort(r *http.Request, left bool, cause error) {
	c := callOf(r)
	c.cut, c.left, c.cause = !left, left, cause
	panic(http.ErrAbortHandler)
}

// paced writes a response to a client that may be slow, but must not stop reading.
type paced struct {
	w     http.ResponseWriter
	conn  *http.ResponseController
	still time.Duration // maximum time to write a piece
	end   time.Time
}

// write writes a part in pieces, each with its own deadline.
func (p paced) write(part [][]byte) error {
	for _, data := range part {
		for piece := range slices.Chunk(data, writeBytes) {
			until := time.Now().Add(p.still)
			if until.After(p.end) {
				until = p.end
			}
			_ = p.conn.SetWriteDeadline(until) // fails without a real connection
			if _, err := p.w.Write(piece); err != nil {
				return err
			}
		}
	}
	if err := p.conn.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}
