package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// scanner reads the batches of one file. Its memory is bounded by the size of the
// largest batch.
type scanner struct {
	from  io.Reader
	buf   []byte
	at    int64 // offset of buf in the file
	ended bool  // buf extends to the end of the file
}

// found is a verified batch, or a part of a file that is not one.
type found struct {
	offset int64
	bytes  int64
	batch  []byte // valid until the next call; nil if this part is not a batch
	head   head
	last   bool // the part that is not a batch extends to the end of the file
	whole  bool // it is a complete batch, with the wrong digest
}

// next returns the next batch or the next part that is not a batch, or io.EOF.
func (s *scanner) next() (found, error) {
	if err := s.fill(headSize); err != nil {
		return found{}, err
	}
	if len(s.buf) == 0 {
		return found{}, io.EOF
	}
	ok, whole, h, err := s.verify()
	if err != nil {
		return found{}, err
	}
	if !ok {
		return s.skip(whole)
	}
	f := found{offset: s.at, bytes: int64(h.size()), batch: s.buf[:h.size()], head: h}
	s.drop(h.size())
	return f, nil
}

// verify reports whether buf begins with a batch.
func (s *scanner) verify() (ok, whole bool, h head, err error) {
	h, ok = parseHead(s.buf)
	if !ok {
		return false, false, h, nil
	}
	if err := s.fill(h.size()); err != nil {
		return false, false, h, err
	}
	if len(s.buf) < h.size() {
		return false, false, h, nil
	}
	ok = h.verifies(s.buf)
	return ok, !ok && s.ended && len(s.buf) == h.size(), h, nil
}

// skip drops bytes up to the next batch. A damaged length must not hide the batches
// after it, so it looks for one at every byte.
func (s *scanner) skip(whole bool) (found, error) {
	f := found{offset: s.at, whole: whole}
	for {
		i := bytes.Index(s.buf[1:], magic)
		switch {
		case i >= 0:
			s.drop(i + 1)
		case s.ended:
			s.drop(len(s.buf))
			f.bytes, f.last = s.at-f.offset, true
			return f, nil
		default:
			s.drop(max(1, len(s.buf)-len(magic)+1))
			if err := s.fill(len(s.buf) + 1<<16); err != nil {
				return found{}, err
			}
			if len(s.buf) == 0 {
				f.bytes, f.last = s.at-f.offset, true
				return f, nil
			}
			if !bytes.HasPrefix(s.buf, magic) {
				continue
			}
		}
		if err := s.fill(headSize); err != nil {
			return found{}, err
		}
		ok, _, _, err := s.verify()
		if err != nil || ok {
			f.bytes = s.at - f.offset
			return f, err
		}
	}
}

// fill reads until buf has n bytes or extends to the end of the file.
func (s *scanner) fill(n int) error {
	if len(s.buf) >= n || s.ended {
		return nil
	}
	n = max(n, 1<<16)
	if cap(s.buf) < n {
		s.buf = append(make([]byte, 0, n), s.buf...)
	}
	have := len(s.buf)
	read, err := io.ReadFull(s.from, s.buf[have:n])
	s.buf = s.buf[:have+read]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		s.ended = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("at %d: %w", s.at+int64(len(s.buf)), err)
	}
	return nil
}

func (s *scanner) drop(n int) {
	s.buf = s.buf[n:]
	s.at += int64(n)
}
