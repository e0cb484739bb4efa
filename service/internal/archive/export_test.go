package archive

import (
	"context"
	"os"
	"path"
	"testing"
	"time"
)

// SetSync replaces the sync of files and folders of an archive in a folder.
func SetSync(a *Archive, sync func(*os.File) error) {
	if f, ok := a.at.(*folder); ok {
		f.sync = sync
	}
}

// Overwrite makes an archive in a folder replace files that exist, as an S3 server
// without conditional writes does.
func Overwrite(a *Archive) {
	if f, ok := a.at.(*folder); ok {
		a.at = overwriting{f}
	}
}

type overwriting struct{ *folder }

func (f overwriting) create(ctx context.Context, name string, text []byte) error {
	return f.replace(ctx, name, text)
}

// OmitOnce makes the first listing of a journal in S3 omit an object, as a listing of
// several parts does if objects are combined meanwhile.
func OmitOnce(a *Archive, name string) {
	if b, ok := a.at.(*bucket); ok {
		a.at = &omitting{bucket: b, name: name}
	}
}

type omitting struct {
	*bucket
	name string // empty after the first listing
}

func (o *omitting) files(ctx context.Context, folder string, each func(string) error) error {
	omitted := o.name
	o.name = ""
	return o.bucket.files(ctx, folder, func(name string) error {
		if path.Base(name) == omitted {
			return nil
		}
		return each(name)
	})
}

// EndEarlier continues a recovery after it has begun an epoch.
func EndEarlier(a *Archive, epoch int) error { return a.endEarlier(context.Background(), epoch) }

// IncompleteWait changes for a test how long an object in S3 that is being stored is
// waited for.
func IncompleteWait(t *testing.T, d time.Duration) {
	usual := incompleteWait
	incompleteWait = d
	t.Cleanup(func() { incompleteWait = usual })
}
