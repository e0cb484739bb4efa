package blob_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"khatm/service/internal/blob"
)

// Names of the environment variables that make this program another one, with
// the folder of the store: one that keeps files without end and says the key of
// each, or one whose disk is full.
const (
	victim   = "KHATM_TEST_BLOB_VICTIM"
	confined = "KHATM_TEST_BLOB_CONFINED"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(victim) != "":
		putForEver(os.Getenv(victim))
	case os.Getenv(confined) != "":
		putTooMuch(os.Getenv(confined))
	default:
		os.Exit(m.Run())
	}
}

// textOf is what is kept under a key.
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

// TestKilled: what a process had said to be kept before it was killed is there,
// and nothing half-written is.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	var said []string
	for round := range 10 {
		said = append(said, killAfter(t, dir, 1+7*round)...)
	}
	d := openDisk(t, dir)
	for _, key := range said {
		wantFile(t, d, key, textOf(key))
	}
	if entries, err := os.ReadDir(dir + "/~incoming"); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func again(t *testing.T, variable, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), variable+"="+dir)
	return command
}

// killAfter starts the victim, kills it when it has named so many keys, and
// returns those it named.
func killAfter(t *testing.T, dir string, count int) (said []string) {
	t.Helper()
	command := again(t, victim, dir)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if !strings.HasSuffix(lines.Text(), "/file") {
			t.Errorf("the victim says %q", lines.Text())
			break
		}
		said = append(said, lines.Text())
		if len(said) == count {
			if err := command.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	_ = command.Wait() // it was killed
	return said
}

// putTooMuch has room for 100 kB a file.
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

// TestFullDisk: where the disk takes no more, what was there stays, and of what
// came nothing does.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, "a", "old")
	out, err := again(t, confined, dir).Output()
	if err != nil || !strings.Contains(string(out), syscall.EFBIG.Error()) {
		t.Fatalf("it says %q, %v", out, err)
	}
	wantFile(t, d, "a", "old")
	wantTree(t, dir, "a")
}
