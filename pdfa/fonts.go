package pdfa

import (
	_ "embed" // the fonts
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

//go:embed fonts/IBMPlexSansArabic-Regular.ttf.gz
var plexRegular string

//go:embed fonts/IBMPlexSansArabic-Bold.ttf.gz
var plexBold string

// chain holds the faces of one weight in order of preference. The last one has a
// glyph for every character.
type chain [3]*face

// Fonts measures, wraps and shapes text. It is safe for concurrent use and can be
// shared by all documents. It caches shaped words.
type Fonts struct {
	regular, bold chain
	words         *wordCache
	scratch       sync.Pool // of *scratch
	deflaters     sync.Pool // of *deflater
	profile       []byte    // the colour profile, compressed
}

// NewFonts loads the embedded fonts. The cache of shaped words uses about
// cacheBytes of memory; 8 MiB are enough for a busy service.
func NewFonts(cacheBytes int) (*Fonts, error) {
	f := &Fonts{words: newWordCache(cacheBytes)}
	signs := newSigns()
	regular, err := unpacked(plexRegular)
	if err != nil {
		return nil, fmt.Errorf("decompress the regular font: %w", err)
	}
	bold, err := unpacked(plexBold)
	if err != nil {
		return nil, fmt.Errorf("decompress the bold font: %w", err)
	}
	for _, font := range []struct {
		chain *chain
		place int
		name  string
		data  []byte
	}{
		{&f.regular, 0, "IBMPlexSansArabic", regular},
		{&f.regular, 1, "GoRegular", goregular.TTF},
		{&f.bold, 0, "IBMPlexSansArabic-Bold", bold},
		{&f.bold, 1, "Go-Bold", gobold.TTF},
	} {
		face, err := readFace(font.name, font.data)
		if err != nil {
			return nil, err
		}
		font.chain[font.place] = face
	}
	f.regular[2], f.bold[2] = signs, signs
	f.scratch.New = func() any { return &scratch{fonts: f} }
	f.deflaters.New = func() any { return newDeflater() }
	f.profile = f.deflate(nil, srgbProfile())
	return f, nil
}

// unpacked decompresses a font.
func unpacked(packed string) ([]byte, error) {
	r, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func (f *Fonts) chain(bold bool) *chain {
	if bold {
		return &f.bold
	}
	return &f.regular
}

// pick returns the first face that has the character. A joiner or a mark uses the
// face of the character before it if possible.
func (c *chain) pick(r rune, before *face) *face {
	if before != nil && (isJoiner(r) || isMark(r) && before.has(r)) {
		return before
	}
	for _, f := range c {
		if f.has(r) {
			return f
		}
	}
	return c[len(c)-1]
}
