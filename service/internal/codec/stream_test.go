package codec_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"khatm/service/internal/codec"
)

type crateRow struct {
	Name   string               `json:"name"`
	Leaves codec.Stream[brewed] `json:"leaves"`
}

type brewed struct {
	Kind string `json:"kind"`
}

type crates struct {
	Before string                 `json:"before"`
	Rows   codec.Stream[crateRow] `json:"rows" doc:"The rows."`
	After  int                    `json:"after"`
	Hint   string                 `json:"hint,omitempty"`
}

// The same response without streams.
type crateListRow struct {
	Name   string   `json:"name"`
	Leaves []brewed `json:"leaves"`
}

type crateList struct {
	Before string         `json:"before"`
	Rows   []crateListRow `json:"rows" doc:"The rows."`
	After  int            `json:"after"`
	Hint   string         `json:"hint,omitempty"`
}

// streamOf returns a stream of parts, and fails at the given part.
func streamOf[T any](parts [][]T, fails error) codec.Stream[T] {
	return codec.Stream[T]{Next: func(add func(*T) error) (bool, error) {
		if len(parts) == 0 {
			return false, fails
		}
		part := parts[0]
		parts = parts[1:]
		for n := range part {
			if err := add(&part[n]); err != nil {
				return false, err
			}
		}
		return len(parts) > 0 || fails != nil, nil
	}}
}

// A stream is encoded like a list, whatever its parts are, whole and in parts.
func TestStreamIsEncodedLikeAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := crateList{Before: rapid.String().Draw(t, "before"), After: 7, Hint: rapid.SampledFrom([]string{"", "hint"}).Draw(t, "hint")}
		sizes := rapid.SliceOfN(rapid.IntRange(0, 3), 0, 4).Draw(t, "parts")
		made := func() crates {
			want.Rows = nil
			var parts [][]crateRow
			for n, size := range sizes {
				var part []crateRow
				for i := range size {
					leaves := make([]brewed, i)
					part = append(part, crateRow{Name: string(rune('a' + n)), Leaves: streamOf([][]brewed{leaves}, nil)})
					want.Rows = append(want.Rows, crateListRow{Name: string(rune('a' + n)), Leaves: leaves})
				}
				parts = append(parts, part)
			}
			return crates{Before: want.Before, Rows: streamOf(parts, nil), After: want.After, Hint: want.Hint}
		}
		whole := made()
		got, err := encode(&whole)
		list, listErr := encode(&want)
		if err != nil || listErr != nil || string(got) != string(list) || !json.Valid(got) {
			t.Fatalf("got %s, %v, want %s, %v", got, err, list, listErr)
		}
		parted := made()
		in, calls := inParts(t, &parted)
		if in != string(list) || calls != max(1, len(sizes)) {
			t.Fatalf("got %s in %d parts, want %s in %d", in, calls, list, max(1, len(sizes)))
		}
	})
}

// inParts encodes a struct part by part, with a buffer that is taken away after
// each value, and returns the number of parts.
func inParts(t interface{ Fatal(...any) }, out any) (text string, calls int) {
	v := reflect.ValueOf(out).Elem()
	s, err := codec.ShapeOf(v.Type())
	if err != nil || !s.HasStream() {
		t.Fatal("no stream", err)
	}
	p := codec.NewParts(&s, v)
	p.After = func(data []byte) ([]byte, error) {
		text += string(data)
		return data[:0], nil
	}
	for more := true; more; calls++ {
		var data []byte
		if data, more, err = p.Append(nil); err != nil {
			t.Fatal(err)
		}
		text += string(data)
	}
	return text, calls
}

func TestStreamReportsItsError(t *testing.T) {
	lost := errors.New("lost")
	rows := crates{Rows: streamOf([][]crateRow{{{Name: "a"}}}, lost)}
	if _, err := encode(&rows); !errors.Is(err, lost) {
		t.Errorf("got error %v, want %v", err, lost)
	}
	rows = crates{Rows: streamOf([][]crateRow{{{Name: "a", Leaves: streamOf[brewed](nil, lost)}}}, nil)}
	if _, err := encode(&rows); !errors.Is(err, lost) {
		t.Errorf("got error %v of the inner stream, want %v", err, lost)
	}
}

func TestStreamIsDescribedAsAList(t *testing.T) {
	schema := func(of reflect.Type) string {
		s, err := codec.ShapeOf(of)
		if err != nil {
			t.Fatal(err)
		}
		all := codec.NewSchemas(nil)
		if err := all.Collect(&s, codec.InAnswer); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(all.Of(&s, codec.InAnswer))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	type names struct {
		Names codec.Stream[brewed] `json:"names" doc:"The names."`
	}
	stream := schema(reflect.TypeFor[codec.Stream[brewed]]())
	if list := schema(reflect.TypeFor[[]brewed]()); stream != list {
		t.Errorf("schema of a stream = %s, want %s", stream, list)
	}
	s, err := codec.ShapeOf(reflect.TypeFor[names]())
	if err != nil {
		t.Fatal(err)
	}
	if s.Readable() == nil {
		t.Error("Readable accepts a stream in a request")
	}
}
