package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"khatm/service/internal/disk"
	"khatm/service/internal/store"
)

// goodSpace is the free space below which the doctor warns. An invoice with its
// XML and its PDF takes about 100 kB.
const goodSpace = 2 << 30

func schemaVersion() int64 { return store.SchemaVersion() }

// folder checks the data folder: that it exists, its owner, its permissions and
// its free space.
func (x *examination) folder() {
	const check = "data folder"
	at := full(x.config.Data)
	info, err := os.Stat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist) && x.config.Database != "":
		x.warn(check, "", "%s does not exist yet; khatm serve creates it for files and the master key", at)
	case errors.Is(err, fs.ErrNotExist):
		x.fail(check, "choose another folder with --data or KHATM_DATA, or create an installation with khatm org create or khatm serve", "%s does not exist", at)
	case err != nil:
		x.fail(check, "", "%v", err)
	case !info.IsDir():
		x.fail(check, "choose another folder with --data or KHATM_DATA", "%s is not a folder", at)
	default:
		x.owner(check, at, info)
	}
}

func (x *examination) owner(check, at string, info fs.FileInfo) {
	uid, known := ownerOf(info)
	switch me := os.Geteuid(); {
	case known && uid != me && me != 0:
		x.fail(check, fmt.Sprintf("run khatm as user %d", uid), "%s belongs to user %d, but you are user %d", at, uid, me)
		return
	case known && uid != me:
		x.warn(check, fmt.Sprintf("run khatm as user %d: the server cannot open files that root creates here", uid), "%s belongs to user %d, but you are root", at, uid)
		return
	case info.Mode().Perm()&0o077 != 0:
		x.warn(check, "chmod 700 "+at, "other users can access %s (%s)", at, info.Mode())
		return
	}
	x.space(check, at)
}

func (x *examination) space(check, at string) {
	const advice = "free some disk space: without it nothing can be issued"
	left, err := disk.Of(at)
	switch {
	case err != nil:
		x.warn(check, "", "%s: free space is unknown: %v", at, err)
	case left.ReadOnly:
		x.fail(check, "make it writable: until then nothing can be issued", "%s is on a read-only file system", at)
	case left.Free < x.outside.DiskFloor:
		x.fail(check, advice, "%s has %d MiB free", at, left.Free>>20)
	case left.Free < goodSpace:
		x.warn(check, advice, "%s has %d MiB free", at, left.Free>>20)
	default:
		x.ok(check, "%s is accessible only to you, on %s with %d GiB free", at, left.Kind, left.Free>>30)
	}
}
