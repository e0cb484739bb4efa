package wire

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
)

// Upload is a file in a form.
type Upload struct {
	Field    string // name of the part
	Filename string // without folders and control characters; may be empty
	Bytes    []byte
}

// maxNameOfAFile is the maximum length of a file name in characters.
const maxNameOfAFile = 255

func (f *formReader) keepFile(wanted *filePart, name, filename string, one io.Reader) error {
	data, err := f.readFile(wanted, one)
	if err != nil {
		return err
	}
	if len(data) == 0 && filename == "" {
		return nil // an empty file input of a form
	}
	upload := Upload{Field: name, Filename: filename, Bytes: data}
	field := codec.FieldAt(f.into, wanted.index)
	if wanted.name == "*" {
		field.Set(reflect.Append(field, reflect.ValueOf(upload)))
		return nil
	}
	if f.single[name] {
		f.Add(name, codec.KeyTwice)
		return nil
	}
	f.single[name] = true
	field.Set(reflect.ValueOf(&upload))
	return nil
}

// readFile reads a file up to one byte beyond its maximum. Its length is unknown
// before its end, so the buffer grows eightfold: memory stays in proportion to
// the bytes received, not to the claimed length, and little is copied.
func (f *formReader) readFile(wanted *filePart, from io.Reader) ([]byte, error) {
	const first, growth = 4 << 10, 8
	most := f.limit
	if f.claims >= 0 {
		most = min(most, f.claims)
	}
	if wanted.maxBytes > 0 {
		most = min(most, wanted.maxBytes)
	}
	room := int(most) + 1 // one more byte shows that the file is too large
	data := make([]byte, 0, min(first, room))
	for {
		n, err := from.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case wanted.maxBytes > 0 && int64(len(data)) > wanted.maxBytes:
			return nil, wanted.tooLarge(f.row)
		case err == io.EOF: // compare directly: an incomplete form returns another error
			return data, nil
		case err != nil:
			return nil, f.broken(err)
		case len(data) == cap(data):
			data = append(make([]byte, 0, min(growth*cap(data), max(room, cap(data)+1))), data...)
		}
	}
}

// tooLarge returns the error for a form that is too large. On a public route it
// names the file, which is the cause.
func (f *formReader) tooLarge() error {
	for i := range f.plan.files {
		if one := &f.plan.files[i]; f.row.Access == Public && one.maxBytes > 0 {
			return one.tooLarge(f.row)
		}
	}
	return tooLarge(f.limit)
}

// tooLarge returns the error for a file that is too large.
func (p *filePart) tooLarge(row Route) error {
	if row.Access != Public {
		return fault.New(fault.FileTooLarge, "The file is larger than %d bytes.", p.maxBytes)
	}
	return fault.Detail(fault.FileTooLarge, fmt.Sprintf("The file is too large: %d bytes maximum.", p.maxBytes))
}

// fileName removes folders and control characters from a file name sent by the
// caller, and truncates it.
func fileName(given string) string {
	name := given[strings.LastIndexAny(given, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, name)
	name = strings.TrimSpace(norm.NFC.String(name))
	if characters := []rune(name); len(characters) > maxNameOfAFile {
		name = string(characters[:maxNameOfAFile])
	}
	if name == "." || name == ".." {
		return ""
	}
	return name
}
