package service_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"khatm/service/internal/clock"
	"khatm/service/internal/disk"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/trade"
)

// onSmallDisk names the variable that tells this test binary that it may
// mount a disk, in a process of its own.
const onSmallDisk = "KHATM_TEST_SMALL_DISK"

// smallDisk runs a test in a process that may mount, and mounts a disk of so
// many MiB for it. It returns "" in the process that only waits.
func smallDisk(t *testing.T, mib int) string {
	t.Helper()
	if os.Getenv(onSmallDisk) != "" {
		folder := t.TempDir()
		if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm", mib)); err != nil {
			t.Skip("this machine gives nobody a small disk:", err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
		return folder
	}
	again := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	again.Env = append(os.Environ(), onSmallDisk+"=1")
	again.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	text, err := again.CombinedOutput()
	var ended *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &ended): // it could not be started
		t.Skip("this machine gives nobody a small disk:", err)
	case err != nil:
		t.Error(err, string(text))
	case strings.Contains(string(text), "--- SKIP: "+t.Name()):
		t.Skip("this machine gives nobody a small disk:", string(text))
	}
	for line := range strings.Lines(string(text)) {
		if _, after, found := strings.Cut(line, "scenario | "); found {
			t.Log("scenario | " + strings.TrimSpace(after))
		}
	}
	return ""
}

// ballast fills a disk except for so many bytes, and returns what empties it.
func ballast(t *testing.T, folder string, left uint64) (lift func()) {
	t.Helper()
	file := filepath.Join(folder, "ballast")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for chunk := make([]byte, 64<<10); ; {
		space, err := disk.Of(folder)
		if err != nil {
			t.Fatal(err)
		}
		if space.Free <= left {
			break
		}
		if _, err := f.Write(chunk[:min(uint64(len(chunk)), space.Free-left)]); err != nil {
			break
		}
	}
	return func() {
		if err := os.Remove(file); err != nil {
			t.Error(err)
		}
	}
}

// TestTorture_DiskBelowItsFloor fills the disk of a server up to its floor and
// frees it.
func TestTorture_DiskBelowItsFloor(t *testing.T) {
	t.Parallel() // it waits most of the time
	folder := smallDisk(t, 64)
	if folder == "" {
		return
	}
	h := open(t, func(c *server.Config) { c.Data, c.DiskFloor, c.Boot = folder, 16<<20, clock.Boot })
	shop := h.till()
	shop.created(shop.simplified())
	const rounds = 2
	var worst time.Duration
	for n := range rounds {
		// Below the floor, and to the last byte: then other writes fail too.
		lift := ballast(t, folder, []uint64{15 << 20, 0}[n%2])
		begun := time.Now()
		untilRefused(t, shop, fmt.Sprint("round ", n))
		worst = max(worst, time.Since(begun))
		shop.stopped("disk", "disk cannot take more data")
		if n%2 == 1 {
			untilFull(t, h)
			shop.stopped("disk", "disk cannot take more data")
		}
		lift()
		becomes(t, "issuing goes on", func() bool { return h.ask("/readyz/issuing").status == http.StatusOK })
		shop.created(shop.simplified(fields{"notes": note(fmt.Sprint("freed ", n))}))
	}
	h.provesChains(h.org)
	scenario(t, "disk below its floor, full, and freed, SQLite", fmt.Sprint(rounds, " times"), 0, fmt.Sprintf("creates 503 after %s at most, reads 200, goes on without a restart", worst.Round(time.Millisecond)))
}

// untilFull makes clients until the disk is full. The log has some room left.
func untilFull(t *testing.T, h *house) {
	t.Helper()
	for range 1000 {
		err := h.service.Store().AddClient(t.Context(), h.operator(h.org), trade.Client{
			ID: h.service.NewID(), Name: "Buyer", Address: org.Address{CountryCode: "SA"}, Logo: strings.Repeat("x", 500_000), CreatedAt: h.clock.Now(),
		})
		if fault.KindOf(err) == fault.Unavailable {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Error("the disk is not full")
}

// untilRefused creates until an answer is 503.
func untilRefused(t *testing.T, shop *till, what string) {
	t.Helper()
	for n, end := 0, time.Now().Add(soon); ; n++ {
		a := shop.create(shop.simplified(fields{"notes": note(fmt.Sprint(what, n))}))
		switch {
		case a.status == http.StatusServiceUnavailable:
			return
		case a.status != http.StatusAccepted || time.Now().After(end):
			t.Fatalf("%s: %d %s", what, a.status, a.body)
		}
	}
}
