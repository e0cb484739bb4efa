package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"khatm/service/internal/disk"
	"khatm/service/internal/store"
)

// goodSpace is how much free space calls for no warning. An invoice with its XML
// and its PDF takes about 100 kB.
const goodSpace = 2 << 30

func schemaVersion() int64 { return store.SchemaVersion() }

// folder looks at the data folder: whether it is there, whose it is, who may
// look in, and how much fits.
func (x *examination) folder() {
	const check = "data folder"
	at := full(x.config.Data)
	info, err := os.Stat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist) && x.config.Database != "":
		x.warn(check, "", "%s is not there yet; khatm serve makes it, for files and the master key", at)
	case errors.Is(err, fs.ErrNotExist):
		x.fail(check, "name another with --data or KHATM_DATA, or begin with khatm org create or khatm serve", "%s is not there", at)
	case err != nil:
		x.fail(check, "", "%v", err)
	case !info.IsDir():
		x.fail(check, "name another with --data or KHATM_DATA", "%s is no folder", at)
	default:
		x.owner(check, at, info)
	}
}

func (x *examination) owner(check, at string, info fs.FileInfo) {
	uid, known := ownerOf(info)
	switch me := os.Geteuid(); {
	case known && uid != me && me != 0:
		x.fail(check, fmt.Sprintf("run khatm as user %d", uid), "%s belongs to user %d and you are user %d", at, uid, me)
		return
	case known && uid != me:
		x.warn(check, fmt.Sprintf("run khatm as user %d: files that root makes here are closed to the server", uid), "%s belongs to user %d and you are root", at, uid)
		return
	case info.Mode().Perm()&0o077 != 0:
		x.warn(check, "chmod 700 "+at, "%s can be looked into by others (%s)", at, info.Mode())
		return
	}
	x.space(check, at)
}

func (x *examination) space(check, at string) {
	const advice = "make room: without it nothing can be issued"
	left, err := disk.Of(at)
	switch {
	case err != nil:
		x.warn(check, "", "%s: free space is not known: %v", at, err)
	case left.ReadOnly:
		x.fail(check, "make it writable: nothing can be issued", "%s is on a file system that is read-only", at)
	case left.Free < x.outside.DiskFloor:
		x.fail(check, advice, "%s has %d MiB left", at, left.Free>>20)
	case left.Free < goodSpace:
		x.warn(check, advice, "%s has %d MiB left", at, left.Free>>20)
	default:
		x.ok(check, "%s is yours alone, on %s with %d GiB left", at, left.Kind, left.Free>>30)
	}
}
