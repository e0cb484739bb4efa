package server_test

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
	"khatm/service/internal/servicetest"
	"khatm/service/internal/trade"
)

// onSmallDisk is the environment variable that tells this test binary that it
// runs in a separate process, which may mount a disk.
const onSmallDisk = "KHATM_TEST_SMALL_DISK"

// smallDisk runs the current test again in a process that may mount disks.
// There it returns a folder on a disk of the given size. In the parent process
// it returns "" after the other process has ended.
func smallDisk(t *testing.T, mib int) string {
	t.Helper()
	if os.Getenv(onSmallDisk) != "" {
		folder := t.TempDir()
		if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm", mib)); err != nil {
			t.Skip("cannot mount a small disk on this machine:", err)
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
		t.Skip("cannot mount a small disk on this machine:", err)
	case err != nil:
		t.Error(err, string(text))
	case strings.Contains(string(text), "--- SKIP: "+t.Name()):
		t.Skip("cannot mount a small disk on this machine:", string(text))
	}
	for line := range strings.Lines(string(text)) {
		if _, after, found := strings.Cut(line, "scenario | "); found {
			t.Log("scenario | " + strings.TrimSpace(after))
		}
	}
	return ""
}

// fillDisk fills a disk except for left bytes, and returns a function that
// frees it.
func fillDisk(t *testing.T, folder string, left uint64) (free func()) {
	t.Helper()
	file := filepath.Join(folder, "filler")
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

// TestTorture_DiskBelowItsFloor fills the disk of a server beyond its limit,
// and frees it.
func TestTorture_DiskBelowItsFloor(t *testing.T) {
	t.Parallel() // it mostly waits
	folder := smallDisk(t, 64)
	if folder == "" {
		return
	}
	h := servicetest.Open(t, func(c *server.Config) { c.Data, c.DiskFloor, c.Boot = folder, 16<<20, clock.Boot })
	shop := h.NewSeller()
	shop.Created(shop.Simplified())
	const rounds = 2
	var worst time.Duration
	for n := range rounds {
		// In the first round some space is left; in the second none, so that
		// other writes fail too.
		free := fillDisk(t, folder, []uint64{15 << 20, 0}[n%2])
		begun := time.Now()
		untilRefused(t, shop, fmt.Sprint("round ", n))
		worst = max(worst, time.Since(begun))
		shop.Stopped("disk", "disk cannot take more data")
		if n%2 == 1 {
			untilFull(t, h)
			shop.Stopped("disk", "disk cannot take more data")
		}
		free()
		servicetest.Eventually(t, "issuing continues", func() bool { return h.Ask("/readyz/issuing").Status == http.StatusOK })
		shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint("freed ", n))}))
	}
	h.CheckChains(h.Org)
	servicetest.ReportScenario(t, "disk below its floor, full, and freed, SQLite", fmt.Sprint(rounds, " times"), 0, fmt.Sprintf("creating returns 503 after %s at most, reads return 200, issuing continues without a restart", worst.Round(time.Millisecond)))
}

// untilFull creates clients until the disk is full, which the write-ahead log
// may delay.
func untilFull(t *testing.T, h *servicetest.Instance) {
	t.Helper()
	for range 1000 {
		err := h.Service.Store().AddClient(t.Context(), h.Operator(h.Org), trade.Client{
			ID: h.Service.NewID(), Name: "Buyer", Address: org.Address{CountryCode: "SA"}, Logo: strings.Repeat("x", 500_000), CreatedAt: h.Clock.Now(),
		})
		if fault.KindOf(err) == fault.Unavailable {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Error("the disk did not become full")
}

// untilRefused creates invoices until a request returns 503.
func untilRefused(t *testing.T, shop *servicetest.Seller, what string) {
	t.Helper()
	for n, end := 0, time.Now().Add(servicetest.Soon); ; n++ {
		a := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(what, n))}))
		switch {
		case a.Status == http.StatusServiceUnavailable:
			return
		case a.Status != http.StatusAccepted || time.Now().After(end):
			t.Fatalf("%s: got %d %s, want 202 and finally 503", what, a.Status, a.Body)
		}
	}
}
