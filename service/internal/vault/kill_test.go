package vault_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/vault"
)

// killVariable is the environment variable that turns this program into the one
// to be killed: it rotates keys in a loop and prints the id of each.
const killVariable = "KHATM_TEST_VAULT"

func TestMain(m *testing.M) {
	path := os.Getenv(killVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	ring, err := vault.Load(vault.Config{File: path, Create: true, Random: rand.Reader, Now: noon})
	for err == nil {
		fmt.Println(ring.Keys()[0].ID)
		_, err = ring.Rotate()
	}
	fmt.Println(err)
	os.Exit(1)
}

// After a process is killed while rotating, every key that it had printed is in
// the file, and the next rotation removes its temporary files.
func TestKilledWhileRotating(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	var said []string
	for round := range 20 {
		said = append(said, killAfter(t, path, 1+round%7)...)
		ring := filed(t, path)
		for _, id := range said {
			if !slices.ContainsFunc(ring.Keys(), func(k vault.MasterKey) bool { return k.ID == id }) {
				t.Fatalf("round %d: key %s is lost", round, id)
			}
		}
	}
	if _, err := filed(t, path).Rotate(); err != nil {
		t.Fatal(err)
	}
	wantNoLeftovers(t, path)
}

// killAfter starts the program, kills it after it has printed count keys, and
// returns these.
func killAfter(t *testing.T, path string, count int) []string {
	t.Helper()
	return testtool.KillAfter(t, testtool.Self(t, killVariable, path), count, func(line string) bool { return len(line) == 16 })
}

// The next change removes the temporary files of a killed process, and no other
// files.
func TestLeftoversAreSwept(t *testing.T) {
	path, _ := keyFile(t)
	dir := filepath.Dir(path)
	for _, name := range []string{".master.key.123.new", ".other.key.123.new", "master.key.new"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half a k"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := filed(t, path).Rotate(); err != nil {
		t.Fatal(err)
	}
	var got []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	want := []string{".other.key.123.new", "master.key", "master.key.lock", "master.key.new"}
	if !slices.Equal(got, want) {
		t.Errorf("files in the folder: %q, want %q", got, want)
	}
}
