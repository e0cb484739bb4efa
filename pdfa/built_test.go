package pdfa_test

import (
	"bytes"
	"compress/lzw"
	"compress/zlib"
	"encoding/ascii85"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// built is a handmade PDF, so that tests can damage it.
type built struct {
	objects map[int]string
	trailer string // further entries
	root    int
}

var invoiceXML = "<Invoice>" + strings.Repeat("x", 2000) + "</Invoice>"

// withFile returns a PDF with one embedded file, object 5.
func withFile(stream string) *built {
	return &built{root: 1, objects: map[int]string{
		1: "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(invoice.xml) 4 0 R]>>>>/AF[4 0 R]>>",
		2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>",
		4: "<</Type/Filespec/F(invoice.xml)/UF(invoice.xml)/AFRelationship/Alternative/EF<</F 5 0 R>>>>",
		5: stream,
	}}
}

// plain returns a valid PDF with one embedded file.
func plain() *built { return withFile(stream("/Type/EmbeddedFile/Subtype/text#2Fxml", invoiceXML)) }

func (b *built) with(number int, body string) *built {
	b.objects[number] = body
	return b
}

func (b *built) withTrailer(entries string) *built {
	b.trailer = entries
	return b
}

func stream(dict, data string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data)
}

// bytes returns the PDF with a cross-reference table.
func (b *built) bytes() []byte {
	out := []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	places := map[int]int{}
	for _, n := range slices.Sorted(maps.Keys(b.objects)) {
		places[n] = len(out)
		out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", n, b.objects[n])
	}
	size := slices.Max(slices.Collect(maps.Keys(b.objects))) + 1
	at := len(out)
	out = fmt.Appendf(out, "xref\n0 %d\n0000000000 65535 f \n", size)
	for n := 1; n < size; n++ {
		if p, ok := places[n]; ok {
			out = fmt.Appendf(out, "%010d 00000 n \n", p)
		} else {
			out = append(out, "0000000000 65535 f \n"...)
		}
	}
	return fmt.Appendf(out, "trailer\n<</Size %d/Root %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", size, b.root, b.trailer, at)
}

// packed returns the PDF with an object stream and a cross-reference stream. Both are
// encoded with pack; filter is the dictionary entry for that encoding.
func (b *built) packed(filter string, pack func(string) string) []byte {
	out := []byte("%PDF-1.7\n")
	places := map[int][3]int{}
	var head, body string
	index := 0
	streams := slices.Max(slices.Collect(maps.Keys(b.objects))) + 1
	for _, n := range slices.Sorted(maps.Keys(b.objects)) {
		if strings.Contains(b.objects[n], "\nstream\n") {
			places[n] = [3]int{1, len(out), 0}
			out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", n, b.objects[n])
			continue
		}
		head += fmt.Sprintf("%d %d ", n, len(body))
		body += b.objects[n] + "\n"
		places[n] = [3]int{2, streams, index}
		index++
	}
	places[streams] = [3]int{1, len(out), 0}
	out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", streams, stream(fmt.Sprintf("/Type/ObjStm/N %d/First %d%s", index, len(head), filter), pack(head+body)))
	at := len(out)
	places[streams+1] = [3]int{1, at, 0}
	var rows []byte
	for n := range streams + 2 {
		p := places[n]
		rows = append(rows, byte(p[0]), byte(p[1]>>16), byte(p[1]>>8), byte(p[1]), byte(p[2]))
	}
	out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n", streams+1, stream(fmt.Sprintf("/Type/XRef/Size %d/W[1 3 1]/Root %d 0 R%s%s", streams+2, b.root, filter, b.trailer), pack(string(rows))))
	return fmt.Appendf(out, "startxref\n%d\n%%%%EOF\n", at)
}

func flated(s string) string {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err == nil {
		_, err = w.Write([]byte(s))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.String()
}

// lzwLate compresses with LZW for EarlyChange 0.
func lzwLate(s string) string {
	var b bytes.Buffer
	w := lzw.NewWriter(&b, lzw.MSB, 8)
	_, err := w.Write([]byte(s))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.String()
}

// lzwEarly compresses with the default LZW of PDF, in which the code length increases
// one code early.
func lzwEarly(s string) string {
	const wipe, end, most = 256, 257, 4094
	var out []byte
	var bits, have uint
	emit := func(code, width uint) {
		bits, have = bits<<width|code, have+width
		for have >= 8 {
			out = append(out, byte(bits>>(have-8)))
			have -= 8
		}
	}
	codes := new([most][256]uint16) // by a code and the byte after it; 0 is not in use
	next, width := uint(end+1), uint(9)
	emit(wipe, 9)
	known := uint(wipe)
	for i := range len(s) {
		if known == wipe {
			known = uint(s[i])
			continue
		}
		if longer := codes[known][s[i]]; longer != 0 {
			known = uint(longer)
			continue
		}
		emit(known, width)
		codes[known][s[i]] = uint16(next)
		next++
		if next+1 > 1<<width {
			width++
		}
		if next >= most {
			emit(wipe, min(width, 12))
			*codes, next, width = [most][256]uint16{}, end+1, 9
		}
		known = uint(s[i])
	}
	if known != wipe {
		emit(known, width)
	}
	emit(end, width)
	emit(0, (8-have%8)%8)
	return string(out)
}

func runLengths(s string) string {
	var out []byte
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && j-i < 128 && s[j] == s[i] {
			j++
		}
		if j-i > 1 {
			out = append(out, byte(257-(j-i)), s[i])
		} else {
			out = append(out, 0, s[i])
		}
		i = j
	}
	return string(append(out, 128))
}

func ascii85ed(s string) string {
	out := make([]byte, ascii85.MaxEncodedLen(len(s)))
	return string(out[:ascii85.Encode(out, []byte(s))]) + "~>"
}

func hexed(s string) string { return fmt.Sprintf("%x>", s) }
