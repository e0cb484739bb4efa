package listen

import (
	"math/rand/v2"
	"testing"
)

// Names are counted wherever reads divide them.
func TestLengthsAreCounted(t *testing.T) {
	t.Parallel()
	const text = "Content-Length: 5\r\ncontent-length\r\nCONTENT-LENGTH Content_Length content-lengt -length content- content-content-lengthcontent-length"
	const want = 5
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		var l lengths
		for rest := []byte(text); len(rest) > 0; {
			n := 1 + random.IntN(min(len(rest), 1+random.IntN(len(text))))
			l.look(rest[:n])
			rest = rest[n:]
		}
		if got := l.seen.Load(); got != want {
			t.Fatalf("counted %d names, want %d", got, want)
		}
	}
}
