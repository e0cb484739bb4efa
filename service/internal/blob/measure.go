package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"

	"khatm/service/internal/fault"
)

// measure reads a file of at most limit bytes and returns it, to be read again, with
// its size and digest. A file that can be read again is not kept in memory.
func measure(ctx context.Context, r io.Reader, limit int64) (io.ReadSeeker, Info, error) {
	again, is := r.(io.ReadSeeker)
	var kept bytes.Buffer
	hash := sha256.New()
	to := io.Writer(hash)
	if !is {
		to = io.MultiWriter(hash, &kept)
	}
	size, err := io.Copy(to, io.LimitReader(&contextReader{ctx, r}, more(limit)))
	if err != nil {
		return nil, Info{}, err
	}
	if size > limit {
		return nil, Info{}, errTooLarge(limit)
	}
	if !is {
		again = bytes.NewReader(kept.Bytes())
	} else if _, err := again.Seek(-size, io.SeekCurrent); err != nil {
		return nil, Info{}, err
	}
	info := Info{Size: size}
	hash.Sum(info.SHA256[:0])
	return again, info, nil
}

func errTooLarge(limit int64) error {
	return fault.New(fault.FileTooLarge, "The file is larger than the maximum of %d bytes.", limit)
}
