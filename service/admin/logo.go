package admin

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"

	"khatm/service/internal/blob"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// MaxLogo is the maximum size of a logo file in bytes.
const MaxLogo = trade.MaxPicture

// Logo is a valid picture without metadata. The zero Logo is no logo.
type Logo struct{ clean []byte }

// NewLogo validates a picture and removes everything but its pixels.
func NewLogo(picture []byte) (Logo, error) {
	if len(picture) > MaxLogo {
		return Logo{}, fault.New(fault.FileTooLarge, "The picture must have at most %d bytes.", MaxLogo)
	}
	clean, err := trade.Clean(picture)
	return Logo{clean.Bytes}, err
}

// SetLogo sets the logo of an organisation, or removes it if logo is zero. PDFs
// that are requested from now on show the new logo.
func (a *Admin) SetLogo(ctx context.Context, id string, logo Logo) (Organisation, error) {
	by, err := a.actorFor(ctx, id)
	if err != nil {
		return Organisation{}, err
	}
	files, err := a.files(ctx)
	if err != nil {
		return Organisation{}, err
	}
	defer files.Close() //nolint:errcheck // Put has synced the files
	fresh, err := a.keepLogo(ctx, files, by.Tenant, logo)
	if err != nil {
		return Organisation{}, err
	}
	old := ""
	changed, err := a.accounts.ChangeOrganisation(ctx, by, func(kept *org.Organisation) error {
		old, kept.Logo = kept.Logo, fresh
		return nil
	})
	if err != nil {
		return Organisation{}, removeFile(ctx, files, fresh, err)
	}
	return organisationOf(changed), removeFile(ctx, files, old, nil)
}

func (a *Admin) keepLogo(ctx context.Context, files *blob.Files, of org.Tenant, logo Logo) (string, error) {
	if len(logo.clean) == 0 {
		return "", nil
	}
	key := "org/" + of.ID().String() + "/logo/" + a.config.NewID().String()
	_, err := files.Put(ctx, key, bytes.NewReader(logo.clean), int64(len(logo.clean)))
	return key, err
}

// removeFile removes a file that no record refers to. It returns err, or else the
// error of the removal.
func removeFile(ctx context.Context, files *blob.Files, key string, err error) error {
	if key == "" {
		return err
	}
	failed := files.Remove(context.WithoutCancel(ctx), key)
	if err == nil {
		err = failed
	}
	return err
}

// files opens the files of the installation.
func (a *Admin) files(ctx context.Context) (*blob.Files, error) {
	stored, err := a.store.HasFiles(ctx)
	if err != nil {
		return nil, err
	}
	if stored && a.config.Blob != blob.Postgres {
		return nil, errFilesInDatabase
	}
	uploads, err := blob.OpenUploads(a.config.Blob, a.store.Files(), a.config.Now)
	if err != nil {
		return nil, err
	}
	disk, err := a.config.files()
	if err != nil {
		return nil, err
	}
	return &blob.Files{Disk: disk, Uploads: uploads}, nil
}

// errFilesInDatabase is returned if the settings do not say where uploaded files are.
var errFilesInDatabase = errors.New("the uploaded files of this installation are in its database: set --blob postgres or KHATM_BLOB=postgres, as for the server")

// files opens the files of the installation in the data folder.
func (c Config) files() (*blob.Disk, error) { return blob.OpenDisk(filepath.Join(c.Data, "files")) }
