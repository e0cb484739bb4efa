package pdfa

import (
	_ "embed" // the fonts
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

//go:embed fonts/IBMPlexSansArabic-Regular.ttf
var plexRegular []byte

//go:embed fonts/IBMPlexSansArabic-Bold.ttf
var plexBold []byte

// chain is the faces of one weight in the order they are asked. The last one
// has a drawing for every character.
type chain [3]*face

// Fonts measures, wraps and draws text. One value serves all documents and any
// number of goroutines; it remembers shaped words within a bound.
type Fonts struct {
	regular, bold chain
	words         *wordCache
	scratch       sync.Pool // of *scratch
	deflaters     sync.Pool // of *deflater
	profile       []byte    // the colour profile, compressed
}

// NewFonts reads the fonts that the program brings along. Words once shaped are
// kept in about cacheBytes of memory; 8 MiB serve a busy service well.
func NewFonts(cacheBytes int) (*Fonts, error) {
	f := &Fonts{words: newWordCache(cacheBytes)}
	signs := newSigns()
	for _, font := range []struct {
		chain *chain
		place int
		name  string
		data  []byte
	}{
		{&f.regular, 0, "IBMPlexSansArabic", plexRegular},
		{&f.regular, 1, "GoRegular", goregular.TTF},
		{&f.bold, 0, "IBMPlexSansArabic-Bold", plexBold},
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

func (f *Fonts) chain(bold bool) *chain {
	if bold {
		return &f.bold
	}
	return &f.regular
}

// pick is the first face that has the character. A character that joins others
// stays with the face of the one before it if it can.
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
