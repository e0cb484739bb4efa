package audit_test

import (
	"context"
	"encoding/hex"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
)

// linked returns a trail with the hashes that the store computed.
func linked(t *testing.T) []audit.Entry {
	t.Helper()
	entries := []audit.Entry{{
		ID: uuid.MustParse("01930000-0000-7000-8000-000000000001"), At: time.UnixMilli(1790000000123),
		Kind: "operator", Actor: "root", Action: "org.create", Subject: "x", Details: `{"a":1}`,
	}, {
		ID: uuid.MustParse("01930000-0000-7000-8000-000000000002"), Organisation: uuid.MustParse("01930000-0000-7000-8000-0000000000aa"),
		At: time.UnixMilli(1790000000456), Kind: "key", Actor: "svc_abcdefg_", Address: "192.0.2.7", Request: "req 1",
		Action: "client.create", Subject: "01930000-0000-7000-8000-0000000000bb", Details: `{"name":"<Noor & Sons> قهوة"}`,
	}}
	for i, text := range []string{
		"7d4a4f52324794d1ddc2f1edee5a306bf461d278716377408e3247ead5b3abf0",
		"baf2d38f115a952350cd21c473d30db7021232017e9b1e0ae7017b1502bcb23b",
	} {
		raw, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		entries[i].Link = audit.Link{Number: int64(i + 1), Hash: [32]byte(raw)}
	}
	return entries
}

func TestTrailLinks(t *testing.T) {
	cases := []struct {
		name   string
		change func([]audit.Entry) []audit.Entry
		head   int // index of the entry that is the external head; -1 for none
		sound  bool
	}{
		{"unchanged", func(e []audit.Entry) []audit.Entry { return e }, 1, true},
		{"no external head", func(e []audit.Entry) []audit.Entry { return e }, -1, true},
		{"last entry without a link", func(e []audit.Entry) []audit.Entry {
			return append(e, audit.Entry{ID: uuid.Max, Action: "later"})
		}, 1, true},
		{"linked entry after one without a link", func(e []audit.Entry) []audit.Entry {
			return []audit.Entry{e[0], {ID: uuid.Max, Action: "later"}, e[1]}
		}, 0, false},
		{"truncated", func(e []audit.Entry) []audit.Entry { return e[:1] }, 1, false},
		{"empty", func([]audit.Entry) []audit.Entry { return nil }, 1, false},
		{"changed time", func(e []audit.Entry) []audit.Entry { e[1].At = e[1].At.Add(time.Millisecond); return e }, 1, false},
		{"changed organisation", func(e []audit.Entry) []audit.Entry { e[0].Organisation = uuid.Max; return e }, 1, false},
		{"changed details", func(e []audit.Entry) []audit.Entry { e[0].Details = `{"a":2}`; return e }, 1, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var o audit.Options
			if c.head >= 0 {
				o.Head = linked(t)[c.head].Link
			}
			r, err := audit.Walk(context.Background(), &history{trail: c.change(linked(t))}, o)
			if err != nil || r.Sound() != c.sound || !c.sound && r.Broken[audit.TrailComplete] == 0 {
				t.Errorf("error %v, faults %v, want sound %v", err, r.Faults, c.sound)
			}
		})
	}
}
