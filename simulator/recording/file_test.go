package recording_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"khatm/simulator/recording"
)

func exchange(number int) recording.Exchange {
	return recording.Exchange{
		Version: recording.Version, Session: "s", Number: number, Method: "POST", Path: "/compliance",
		Request: recording.Message{Text: "{\"a\":\"<&>\"}"},
	}
}

// appendTo appends an exchange to a recording.
func appendTo(t *testing.T, path string, e recording.Exchange) {
	t.Helper()
	file, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Append(e), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// read returns the numbers of the exchanges of a recording and its damaged lines.
func read(t *testing.T, path string) (numbers, damaged []int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range recording.Read(bytes.NewReader(text)) {
		var bad *recording.Damaged
		switch {
		case errors.As(err, &bad):
			damaged = append(damaged, bad.Line)
		case err != nil:
			t.Fatal(err)
		default:
			numbers = append(numbers, e.Number)
		}
	}
	return numbers, damaged
}

// TestTornLine cuts a recording inside its last line. The lines before
// it are still read, and further lines can be appended.
func TestTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	appendTo(t, path, exchange(1))
	first, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, exchange(2))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for size := int(first.Size()); size < len(whole)-1; size += 9 {
		if err := os.WriteFile(path, whole[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		torn := size > int(first.Size())
		if numbers, damaged := read(t, path); len(numbers) != 1 || (len(damaged) == 1) != torn {
			t.Fatalf("%d bytes: exchanges %v, damaged lines %v; want one exchange", size, numbers, damaged)
		}
		appendTo(t, path, exchange(3))
		numbers, damaged := read(t, path)
		if len(numbers) != 2 || numbers[1] != 3 || (len(damaged) == 1) != torn {
			t.Fatalf("%d bytes, then appended: exchanges %v, damaged lines %v; want 1 and 3", size, numbers, damaged)
		}
	}
}

// TestTornFirstLine checks a file whose only line is incomplete.
func TestTornFirstLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	if err := os.WriteFile(path, []byte(`{"version":1,"sess`), 0o600); err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, exchange(1))
	if numbers, damaged := read(t, path); len(numbers) != 1 || len(damaged) != 1 {
		t.Errorf("exchanges %v, damaged lines %v; want one of each", numbers, damaged)
	}
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	for name, text := range map[string]string{
		"notes":      "These are not calls.\n",
		"JSON":       "{}\n",
		"other JSON": `{"version":"1"}` + "\n",
		"newer":      `{"version":2}` + "\n",
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := recording.Open(path); err == nil {
			t.Errorf("%s: Open succeeded, want an error", name)
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != text {
			t.Errorf("%s: the file was changed to %q, %v", name, kept, err)
		}
	}
}

// TestModeOfFile checks that only the user can read the recording, also if the
// file existed before.
func TestModeOfFile(t *testing.T) {
	folder := t.TempDir()
	existing := filepath.Join(folder, "existing")
	if err := os.WriteFile(existing, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{existing, filepath.Join(folder, "new")} {
		appendTo(t, path, exchange(1))
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != 0o600 {
			t.Errorf("mode of %s = %o, want 600", path, got)
		}
	}
}
