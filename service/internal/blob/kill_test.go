package blob_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/blob"
)

// Environment variables that make the test binary run another program, with the
// folder of the store as their value.
const (
	endlessWriter = "KHATM_TEST_BLOB_ENDLESS_WRITER" // stores files and prints their keys until it is killed
	limitedWriter = "KHATM_TEST_BLOB_LIMITED_WRITER" // cannot write large files
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(endlessWriter) != "":
		putForEver(os.Getenv(endlessWriter))
	case os.Getenv(limitedWriter) != "":
		putTooMuch(os.Getenv(limitedWriter))
	default:
		os.Exit(m.Run())
	}
}

// textOf returns the contents of the file stored under a key.
func textOf(key string) string { return strings.Repeat(key, 5000) }

func putForEver(dir string) {
	d, err := blob.OpenDisk(dir)
	for n := 0; err == nil; n++ {
		key := fmt.Sprintf("%d/%d/file", os.Getpid(), n)
		if _, err = d.Put(context.Background(), key, strings.NewReader(textOf(key)), 1<<20); err == nil {
			fmt.Println(key)
		}
	}
	fmt.Println(err)
	os.Exit(1)
}

// Every file that a killed process reported as stored exists, and no
// half-written file is left.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	var keys []string
	for round := range 10 {
		keys = append(keys, killAfter(t, dir, 1+7*round)...)
	}
	d := openDisk(t, dir)
	for _, key := range keys {
		wantFile(t, d, key, textOf(key))
	}
	if entries, err := os.ReadDir(dir + "/~incoming"); err != nil || len(entries) > 0 {
		t.Errorf("half-written files = %v, %v, want none", entries, err)
	}
}

// killAfter starts a process that stores files, kills it after it has printed
// count keys, and returns all keys that it printed.
func killAfter(t *testing.T, dir string, count int) []string {
	t.Helper()
	return testtool.KillAfter(t, testtool.Self(t, endlessWriter, dir), count, func(line string) bool {
		return strings.HasSuffix(line, "/file")
	})
}

// putTooMuch stores a file that is larger than the process may write.
func putTooMuch(dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	room := syscall.Rlimit{Cur: 100_000, Max: 100_000}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &room); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	d, err := blob.OpenDisk(dir)
	if err == nil {
		_, err = d.Put(context.Background(), "a", bytes.NewReader(make([]byte, 200_000)), 1<<20)
	}
	fmt.Println(err)
}

// If the disk is full, the old file stays and nothing of the new one is left.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, "a", "old")
	out, err := testtool.Self(t, limitedWriter, dir).Output()
	if err != nil || !strings.Contains(string(out), syscall.EFBIG.Error()) {
		t.Fatalf("output of the process with a full disk = %q, %v, want %q", out, err, syscall.EFBIG)
	}
	wantFile(t, d, "a", "old")
	wantTree(t, dir, "a")
}
