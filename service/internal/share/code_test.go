package share

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"strings"
	"testing"
)

// counter is a deterministic stream with the distribution of a random one.
type counter struct{ n uint64 }

func (c *counter) Read(p []byte) (int, error) {
	for i := 0; i < len(p); i += sha256.Size {
		c.n++
		block := sha256.Sum256(binary.BigEndian.AppendUint64(nil, c.n))
		copy(p[i:], block[:])
	}
	return len(p), nil
}

// TestCodesAreEven checks that all digits are equally likely at every position.
func TestCodesAreEven(t *testing.T) {
	t.Parallel()
	const draws = 200_000
	var count [6][10]int
	random := &counter{}
	for range draws {
		code, err := randomCode(random)
		if err != nil || len(code) != 6 {
			t.Fatalf("randomCode returned %q, want 6 digits (error: %v)", code, err)
		}
		for place, digit := range code {
			count[place][digit-'0']++
		}
	}
	for place, digits := range count {
		chi := 0
		for _, n := range digits {
			chi += (n - draws/10) * (n - draws/10)
		}
		// 27.88 is exceeded once in a thousand with nine degrees of freedom.
		if chi > 2788*(draws/10)/100 {
			t.Errorf("digits at position %d are not uniform: %v", place, digits)
		}
	}
}

// TestCodesAreDrawnAgain checks that values which would make some codes more
// likely are discarded.
func TestCodesAreDrawnAgain(t *testing.T) {
	t.Parallel()
	word := func(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
	for what, one := range map[string]struct {
		random []byte
		want   string
	}{
		"first value":              {word(0), "000000"},
		"last fair value":          {word(4_293_999_999), "999999"},
		"first discarded value":    {append(word(4_294_000_000), word(7)...), "000007"},
		"largest value, discarded": {append(word(1<<32-1), word(123_456)...), "123456"},
	} {
		if got, err := randomCode(bytes.NewReader(one.random)); err != nil || got != one.want {
			t.Errorf("%s: randomCode returned %q (error: %v), want %q", what, got, err, one.want)
		}
	}
	if _, err := randomCode(io.LimitReader(&counter{}, 3)); err == nil {
		t.Error("randomCode with too few random bytes succeeded, want an error")
	}
}

func TestMasked(t *testing.T) {
	t.Parallel()
	for email, want := range map[string]string{"noura@buyer.example": "n***@buyer.example", "ن@b.example": "ن***@b.example", "@b.example": "***@b.example"} {
		if got := masked(email); got != want || strings.Contains(got, "oura") {
			t.Errorf("masked(%q) = %q, want %q", email, got, want)
		}
	}
}
