package archive

import (
	"context"
	"os"
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

// EndEarlier continues a recovery after it has begun an epoch.
func EndEarlier(a *Archive, epoch int) error { return a.endEarlier(context.Background(), epoch) }
