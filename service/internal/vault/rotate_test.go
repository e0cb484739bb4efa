package vault_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/vault"
)

// kept is a list of sealed values, like a table of the database.
type kept [][]byte

func ownerOf(i int) string { return fmt.Sprintf("device %d", i) }

func fill(t testing.TB, ring *vault.Ring, n int) kept {
	t.Helper()
	rows := make(kept, n)
	for i := range rows {
		var err error
		if rows[i], err = ring.Seal(purpose, ownerOf(i), fmt.Appendf(nil, "secret %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// openAll opens every row and counts the rows by master key.
func (rows kept) openAll(t testing.TB, ring *vault.Ring) map[string]int {
	t.Helper()
	under := map[string]int{}
	for i, value := range rows {
		plain, err := ring.Open(purpose, ownerOf(i), value)
		if err != nil || string(plain) != fmt.Sprintf("secret %d", i) {
			t.Fatalf("row %d: Open = %q, %v; want %q", i, plain, err, fmt.Sprintf("secret %d", i))
		}
		id, err := vault.KeyID(value)
		if err != nil {
			t.Fatal(err)
		}
		under[id]++
	}
	return under
}

// rewrap rewraps all rows with the active key and counts those that changed.
func (rows kept) rewrap(t testing.TB, ring *vault.Ring) (moved int) {
	t.Helper()
	for i := range rows {
		out, changed, err := ring.Rewrap(purpose, ownerOf(i), rows[i])
		if err != nil {
			t.Fatal(err)
		}
		if changed {
			moved++
		}
		rows[i] = out
	}
	return moved
}

func TestRotation(t *testing.T) {
	const rows = 1000
	path := filepath.Join(t.TempDir(), "master.key")
	ring := filed(t, path)
	table := fill(t, ring, rows)
	before := ring.Keys()[0].ID

	after, err := ring.Rotate()
	if err != nil {
		t.Fatal(err)
	}
	if got := ring.Keys(); len(got) != 2 || got[0].ID != after || got[1].ID != before || after == before {
		t.Fatalf("keys after the rotation = %v, want %s and %s", got, after, before)
	}
	if got := table.openAll(t, filed(t, path)); got[before] != rows {
		t.Fatalf("rows by key after the rotation: %v, want all with %s", got, before)
	}

	// Interrupted half-way: a process that starts then has both kinds of rows.
	table[:rows/2].rewrap(t, ring)
	if got := table.openAll(t, filed(t, path)); got[before] != rows/2 || got[after] != rows/2 {
		t.Fatalf("rows by key half-way: %v, want %d with each key", got, rows/2)
	}
	if moved := table.rewrap(t, filed(t, path)); moved != rows/2 {
		t.Fatalf("the second rewrap changed %d rows, want %d", moved, rows/2)
	}
	if err := ring.Retire(before); err != nil {
		t.Fatal(err)
	}
	alone := filed(t, path)
	if got := alone.Keys(); len(got) != 1 || got[0].ID != after {
		t.Fatalf("keys in the end: %v, want only %s", got, after)
	}
	if got := table.openAll(t, alone); got[after] != rows {
		t.Fatalf("rows by key in the end: %v, want all with %s", got, after)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode of the key file = %v, %v; want 0600", info.Mode(), err)
	}
	wantNoLeftovers(t, path)
}

// A running service opens what another process rewrapped, and seals with the
// new key.
func TestRotationIsSeenByOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	service, command := filed(t, path), filed(t, path)
	table := fill(t, service, 10)
	after, err := command.Rotate()
	if err != nil {
		t.Fatal(err)
	}
	table.rewrap(t, command)
	if got := table.openAll(t, service); got[after] != 10 {
		t.Errorf("rows by key in the service: %v, want 10 with %s", got, after)
	}

	service = filed(t, path)
	if after, err = command.Rotate(); err != nil {
		t.Fatal(err)
	}
	if id, err := vault.KeyID(sealed(t, service, "new")); err != nil || id != after {
		t.Errorf("the service seals with key %s, %v; want %s", id, err, after)
	}
	if moved := table.rewrap(t, service); moved != 10 {
		t.Errorf("the service rewrapped %d rows, want 10", moved)
	}
}

// Sealing and opening work while another ring rotates keys.
func TestRotationUnderLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	service, command := filed(t, path), filed(t, path)
	values := make([][]byte, 4*200)
	var load sync.WaitGroup
	for worker := range 4 {
		load.Go(func() {
			for i := worker; i < len(values); i += 4 {
				value, err := service.Seal(purpose, owner, []byte("secret"))
				if err == nil {
					_, err = service.Open(purpose, owner, value)
				}
				if err != nil {
					t.Error(err)
					return
				}
				values[i] = value
			}
		})
	}
	for range 20 {
		if _, err := command.Rotate(); err != nil {
			t.Error(err)
		}
	}
	load.Wait()
	if t.Failed() {
		return
	}
	for _, value := range values {
		mustOpen(t, filed(t, path), value, "secret")
	}
}

func TestRotationsAtOnceLoseNoKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	first := filed(t, path).Keys()[0].ID
	const each, workers = 5, 4
	made := make([][]string, workers)
	var done sync.WaitGroup
	for w := range workers {
		ring := filed(t, path)
		done.Go(func() {
			for range each {
				id, err := ring.Rotate()
				if err != nil {
					t.Error(err)
				}
				made[w] = append(made[w], id)
			}
		})
	}
	done.Wait()
	want := append(slices.Concat(made...), first)
	var got []string
	for _, key := range filed(t, path).Keys() {
		got = append(got, key.ID)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the file has %d keys, want %d", len(got), len(want))
	}
}

func TestRetireRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	ring := filed(t, path)
	old := ring.Keys()[0].ID
	wantKind(t, ring.Retire(old), fault.Conflict)
	if _, err := ring.Rotate(); err != nil {
		t.Fatal(err)
	}
	wantKind(t, ring.Retire("0123456789abcdef"), fault.NotFound)
	wantKind(t, ring.Retire(ring.Keys()[0].ID), fault.Conflict)
	if err := ring.Retire(old); err != nil {
		t.Error(err)
	}
	wantKind(t, ring.Retire(old), fault.NotFound)
}

func wantKind(t testing.TB, err error, want fault.Kind) {
	t.Helper()
	var told *fault.Error
	if !errors.As(err, &told) || told.Kind() != want {
		t.Errorf("error %v, want kind %d", err, want)
	}
}

func TestWhatCannotBeRotated(t *testing.T) {
	text := given(t, keyOf(1))
	_, err := text.Rotate()
	wantKind(t, err, fault.Conflict)
	wantKind(t, text.Retire(text.Keys()[0].ID), fault.Conflict)

	path, _ := keyFile(t)
	link := filepath.Join(filepath.Dir(path), "link")
	if err := os.Symlink("master.key", link); err != nil {
		t.Fatal(err)
	}
	_, err = filed(t, link).Rotate()
	wantKind(t, err, fault.Conflict)

	ring := filed(t, path)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	_, err = ring.Rotate()
	wantError(t, err, "chmod 600")
	if after, _ := os.ReadFile(path); !bytes.Equal(after, before) {
		t.Error("the file was changed")
	}
}

// A file without space for another key is not changed.
func TestFullFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	var text []byte
	for n := 0; len(text) < 64<<10-300; n++ {
		key := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%032d", n))
		text = fmt.Appendf(text, "%s %s 2026-03-01\n", given(t, key).Keys()[0].ID, key)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	ring := filed(t, path)
	for range 3 {
		before := ring.Keys()
		if _, err := ring.Rotate(); err != nil {
			wantKind(t, err, fault.Conflict)
			if got := filed(t, path).Keys(); !slices.Equal(got, before) {
				t.Errorf("the file has %d keys, want %d", len(got), len(before))
			}
			return
		}
	}
	t.Error("Rotate never failed, want a Conflict for a full file")
}

// A ring whose file is gone does not seal, because the value could not be
// opened after a restart. It still opens existing values.
func TestLostFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	ring := filed(t, path)
	value := sealed(t, ring, "secret")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := ring.Seal(purpose, owner, []byte("new")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Seal without a file: %v, want not found", err)
	}
	mustOpen(t, ring, value, "secret")
	if _, err := ring.Rotate(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Rotate without a file: %v, want not found", err)
	}
}
