package issue_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/ubl"
	"khatm/witness"
)

// Each device has its own chain: its counter has no gaps, and each document
// contains the hash of the previous one.
func TestChainOfADevice(t *testing.T) {
	t.Parallel()
	s := open(t)
	last := map[uuid.UUID]string{firstDevice: device.GenesisHash, secondDevice: device.GenesisHash}
	counters := map[uuid.UUID]int64{}
	for n, on := range []uuid.UUID{firstDevice, firstDevice, secondDevice, firstDevice, secondDevice} {
		got := s.create(standard(from(on), note(fmt.Sprint(n))))
		counters[on]++
		same(t, "counter", got.Counter, counters[on])
		same(t, "previous hash", got.PreviousHash, last[on])
		last[on] = got.Hash
		xml := s.book.entries[n].XML
		hash, err := witness.Hash(xml)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "hash of the document", got.Hash, hash)
		written(t, xml, got.Number, got.ID, got.Counter, got.PreviousHash)
		if _, err := witness.Verify(xml, witness.Expect{}); err != nil {
			t.Errorf("%s: %v", got.Number, err)
		}
	}
	for on, want := range last {
		chain := s.book.devices[on]
		same(t, "hash of the chain", chain.LastHash, want)
		same(t, "counter of the chain", chain.Counter, counters[on])
	}
}

// written checks that the XML has the stored number, id, counter and previous
// hash.
func written(t *testing.T, xml []byte, number string, id uuid.UUID, counter int64, previous string) {
	t.Helper()
	doc, err := ubl.Read(xml)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "number in the document", doc.ID.Value, number)
	same(t, "uuid in the document", doc.UUID.Value, id.String())
	for _, r := range doc.AdditionalDocumentReferences {
		switch r.ID.Value {
		case "ICV":
			same(t, "counter in the document", r.UUID.Value, fmt.Sprint(counter))
		case "PIH":
			same(t, "previous hash in the document", r.Attachment.EmbeddedDocumentBinaryObject.Value, previous)
		}
	}
}

// A document is never dated before the previous one of its device. If the clock
// is a little behind, the previous time is used; if it is far behind, or still
// on the previous day in Riyadh, nothing is issued.
func TestIssueTime(t *testing.T) {
	t.Parallel()
	const tolerance = 5 * time.Minute
	midnight := time.Date(2026, 11, 15, 21, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name      string
		last, now time.Time
		released  bool
		want      time.Time // zero if refused
	}{
		{"first document", time.Time{}, morning, false, morning},
		{"later", morning, morning.Add(time.Second), false, morning.Add(time.Second)},
		{"the same instant", morning, morning, false, morning},
		{"a little back", morning, morning.Add(-time.Second), false, morning},
		{"back by the tolerance", morning, morning.Add(-tolerance), false, morning},
		{"back by more than the tolerance", morning, morning.Add(-tolerance - time.Nanosecond), false, time.Time{}},
		{"back over midnight", midnight, midnight.Add(-time.Second), false, time.Time{}},
		{"back to midnight", midnight.Add(time.Second), midnight, false, midnight.Add(time.Second)},
		{"back over midnight in UTC only", midnight.Add(3 * time.Hour), midnight.Add(3*time.Hour - time.Second), false, midnight.Add(3 * time.Hour)},
		{"released", morning.AddDate(0, 1, 0), morning, true, morning},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.now = c.now
			chain := s.book.devices[firstDevice]
			chain.LastIssuedAt, chain.Released = c.last, c.released
			s.book.devices[firstDevice] = chain
			if c.want.IsZero() {
				e := s.refused(standard())
				if e.Kind() != fault.Unavailable || !errors.Is(e, issue.ErrUnwritten) {
					t.Errorf("refused with %v, want unavailable and ErrUnwritten", e)
				}
				return
			}
			shown, err := s.issuer.Preview(t.Context(), s.by, standard())
			if err != nil || !shown.IssuedAt.Equal(c.want) {
				t.Errorf("preview: IssuedAt = %s, %v; want %s", shown.IssuedAt, err, c.want)
			}
			same(t, "time of the preview", shown.IssueDate+" "+shown.IssueTime, c.want.Add(3*time.Hour).Format(time.DateTime))
			got := s.create(standard())
			local := c.want.Add(3 * time.Hour)
			same(t, "time", got.IssueDate+" "+got.IssueTime, local.Format(time.DateTime))
			after := s.book.devices[firstDevice]
			if !got.IssuedAt.Equal(c.want) || !after.LastIssuedAt.Equal(c.want) || !got.CreatedAt.Equal(c.now) {
				t.Errorf("IssuedAt = %s, LastIssuedAt = %s, CreatedAt = %s; want %s, %[4]s, %[5]s", got.IssuedAt, after.LastIssuedAt, got.CreatedAt, c.want, c.now)
			}
			same(t, "still released", after.Released, false)
		})
	}
}

// The token of a share link is stored sealed and as a digest only.
func TestLinkOfADocument(t *testing.T) {
	t.Parallel()
	token := bytes.Repeat([]byte{7}, 32)
	s := open(t, func(c *issue.Config) { c.Random = bytes.NewReader(token) })
	got := s.create(standard())
	kit, err := sharedStamps()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := kit.ring.Open(issue.SharePurpose, got.ID.String(), got.Share.Sealed)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "token", string(plain), base64.RawURLEncoding.EncodeToString(token))
	if digest := sha256.Sum256(plain); !bytes.Equal(got.Share.Digest, digest[:]) {
		t.Error("Share.Digest is not the digest of the token")
	}
	if want := morning.AddDate(0, 0, 30); !got.Share.Expires.Equal(want) {
		t.Errorf("the link expires %s, want %s", got.Share.Expires, want)
	}
	if _, err := s.issuer.Create(t.Context(), s.by, standard(note("no randomness is left"))); err == nil {
		t.Error("Create without randomness returned no error")
	}
	same(t, "documents", len(s.book.entries), 1)
}

// Documents of a parked device, or issued while sending is paused, are held.
func TestHeldDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ parked, paused, want bool }{{false, false, false}, {true, false, true}, {false, true, true}} {
		s := open(t, func(config *issue.Config) { config.Paused = func() bool { return c.paused } })
		chain := s.book.devices[firstDevice]
		chain.Parked = c.parked
		s.book.devices[firstDevice] = chain
		same(t, fmt.Sprintf("%+v", c), s.create(standard()).Held, c.want)
	}
}
