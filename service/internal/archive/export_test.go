package archive

import "os"

// SetSync replaces the sync of files and folders of an archive in a folder.
func SetSync(a *Archive, sync func(*os.File) error) {
	if f, ok := a.at.(*folder); ok {
		f.sync = sync
	}
}
