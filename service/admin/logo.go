package admin

import (
	"bytes"
	"context"
	"path/filepath"

	"khatm/service/internal/blob"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// MaxLogo is how many bytes the file of a logo may have.
const MaxLogo = trade.MaxPicture

// SetLogo gives an organisation a logo, cleaned of everything but its pixels;
// without a picture it takes the logo away. Documents that were drawn keep
// theirs.
func (a *Admin) SetLogo(ctx context.Context, id string, picture []byte) (Organisation, error) {
	kept, err := a.find(ctx, id)
	if err != nil {
		return Organisation{}, err
	}
	files, err := a.config.files()
	if err != nil {
		return Organisation{}, err
	}
	defer files.Close() //nolint:errcheck // what was put is durable by then
	old := kept.Logo
	if kept.Logo, err = a.keepLogo(ctx, files, kept, picture); err != nil {
		return Organisation{}, err
	}
	if err := a.accounts.ChangeOrganisation(ctx, a.by(org.TenantOf(kept.ID)), kept); err != nil {
		return Organisation{}, drop(ctx, files, kept.Logo, err)
	}
	if err := drop(ctx, files, old, nil); err != nil {
		return Organisation{}, err
	}
	return a.Organisation(ctx, id)
}

func (a *Admin) keepLogo(ctx context.Context, files *blob.Disk, o org.Organisation, picture []byte) (string, error) {
	if len(picture) == 0 {
		return "", nil
	}
	if len(picture) > MaxLogo {
		return "", fault.New(fault.Invalid, "The picture has more than %d bytes: make it smaller.", MaxLogo)
	}
	clean, err := trade.Clean(picture)
	if err != nil {
		return "", err
	}
	key := "org/" + o.ID.String() + "/logo/" + a.config.NewID().String()
	_, err = files.Put(ctx, key, bytes.NewReader(clean.Bytes), int64(len(clean.Bytes)))
	return key, err
}

// drop removes a file that no record refers to, and returns the error that was
// there before.
func drop(ctx context.Context, files *blob.Disk, key string, err error) error {
	if key == "" {
		return err
	}
	failed := files.Remove(context.WithoutCancel(ctx), key)
	if err == nil {
		err = failed
	}
	return err
}

// files opens the files of the installation, where the server has them.
func (c Config) files() (*blob.Disk, error) { return blob.OpenDisk(filepath.Join(c.Data, "files")) }
