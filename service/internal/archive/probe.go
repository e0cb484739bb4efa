package archive

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/minio/minio-go/v7"
)

// ErrOverwritten means that the location replaces a file although it must keep it, so
// that two servers could begin the same epoch.
var ErrOverwritten = errors.New("the location of the archive overwrites files: it does not support conditional writes")

// probeName is a file that is not part of the archive. It is next to the heartbeats,
// which are not locked either.
const probeName = "heartbeats/probe"

// Probe checks that files can be written to the archive, and that a file that exists
// is not replaced by a new one. It leaves one small file, which the next call
// replaces.
func (a *Archive) Probe(ctx context.Context) error {
	var token [16]byte
	if _, err := io.ReadFull(a.random, token[:]); err != nil {
		return err
	}
	text := hex.EncodeToString(token[:])
	if err := a.at.replace(ctx, probeName, []byte(text+"\n")); err != nil {
		return fmt.Errorf("write to the archive: %w", err)
	}
	switch err := a.at.create(ctx, probeName, []byte("another "+text+"\n")); {
	case err == nil:
		return ErrOverwritten
	case !errors.Is(err, fs.ErrExist):
		return fmt.Errorf("write to the archive: %w", err)
	}
	return nil
}

// ObjectLock describes how the objects of an archive in S3 are locked.
type ObjectLock struct {
	Wanted  string // mode in the address of the archive; empty for none
	Enabled bool   // the bucket supports it
	Default string // mode of the bucket for objects without one; empty for none
}

// ObjectLock reads the Object Lock of the bucket. It reports false for a folder.
func (a *Archive) ObjectLock(ctx context.Context) (l ObjectLock, is bool, err error) {
	b, is := a.at.(*bucket)
	if !is {
		return l, false, nil
	}
	l.Wanted = string(b.Lock)
	enabled, mode, _, _, err := b.client.GetObjectLockConfig(ctx, b.Bucket)
	if minio.ToErrorResponse(err).Code == "ObjectLockConfigurationNotFoundError" {
		return l, true, nil
	}
	if err != nil {
		return l, true, fmt.Errorf("read the Object Lock of bucket %s: %w", b.Bucket, err)
	}
	l.Enabled = enabled == "Enabled"
	if mode != nil {
		l.Default = string(*mode)
	}
	return l, true, nil
}
