package spreadsheet

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

const byteOrderMark = "\ufeff"

// decoded returns the text of a file as UTF-8, without its byte order mark. A
// text with a byte order mark is UTF-8 or UTF-16. Other texts are UTF-8 if they
// can be, and Windows-1256 otherwise.
func decoded(file *source, size int64) (io.Reader, error) {
	head := make([]byte, len(byteOrderMark))
	n, _ := file.ReadAt(head[:min(size, int64(len(head)))], 0)
	mark := string(head[:n])
	whole := io.NewSectionReader(file, 0, size)
	if strings.HasPrefix(mark, "\xfe\xff") || strings.HasPrefix(mark, "\xff\xfe") {
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Reader(whole), nil
	}
	valid, invalid, err := countUTF8(io.NewSectionReader(file, 0, size))
	switch {
	case err != nil:
		return nil, err
	case mark == byteOrderMark && invalid == 0:
		return io.NewSectionReader(file, int64(len(mark)), size-int64(len(mark))), nil
	case invalid == 0:
		return whole, nil
	case mark == byteOrderMark || valid > invalid:
		// Arabic in Windows-1256 hardly ever has valid sequences, so this is
		// damaged UTF-8, which would be read as wrong letters.
		return nil, fmt.Errorf("%w: %d bytes are not valid UTF-8", ErrMalformed, invalid)
	}
	return charmap.Windows1256.NewDecoder().Reader(whole), nil
}

// countUTF8 counts the characters of several bytes and the bytes that are not
// valid UTF-8. The error is ErrFormat if there is a NUL character, which no text
// contains.
func countUTF8(text io.Reader) (valid, invalid int64, err error) {
	in := bufio.NewReaderSize(text, peekSize)
	for {
		r, size, err := in.ReadRune()
		switch {
		case errors.Is(err, io.EOF):
			return valid, invalid, nil
		case err != nil:
			return 0, 0, err
		case r == 0:
			return 0, 0, fmt.Errorf("%w: it contains a NUL character", ErrFormat)
		case r == utf8.RuneError && size == 1:
			invalid++
		case size > 1:
			valid++
		}
	}
}
