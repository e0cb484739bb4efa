package blob

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// List returns the keys of all files in order, except those below the given top
// folders. Files that are stored or removed meanwhile may or may not be listed.
func (d *Disk) List(ctx context.Context, except ...string) ([]string, error) {
	return d.list(ctx, ".", except...)
}

// list is List for the files in a folder.
func (d *Disk) list(ctx context.Context, folder string, except ...string) ([]string, error) {
	var keys []string
	err := fs.WalkDir(d.root.FS(), folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case isMissing(err):
			return nil // removed after its folder was read
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir() && (strings.HasPrefix(path, "~") || slices.Contains(except, path)):
			return fs.SkipDir
		case entry.Type().IsRegular() && check(path) == nil:
			keys = append(keys, path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the files: %w", err)
	}
	return keys, nil
}
