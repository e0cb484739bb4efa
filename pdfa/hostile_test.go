package pdfa_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/pdfa"
)

// verdict is the result of extracting from a hostile PDF.
type verdict string

const (
	found     verdict = "found" // the file was extracted
	limited   verdict = "limit"
	malformed verdict = "malformed"
	encrypted verdict = "encrypted"
	none      verdict = "none"     // no file and no error
	whatever  verdict = "whatever" // any result is allowed
)

// attack is one hostile PDF, which data generates, and the expected result.
type attack struct {
	name string
	data func() []byte
	want verdict
}

func judge(files []pdfa.File, err error) verdict {
	switch {
	case errors.Is(err, pdfa.ErrLimit):
		return limited
	case errors.Is(err, pdfa.ErrEncrypted):
		return encrypted
	case errors.Is(err, pdfa.ErrMalformed):
		return malformed
	case err != nil:
		return verdict(err.Error())
	case len(files) == 0:
		return none
	}
	return found
}

// Limits of one call of Extract, for any input.
const (
	maxCPU    = 10       // times the CPU time of deflating 1 MiB
	maxMemory = 64 << 20 // bytes allocated in total
)

func TestExtractIsBounded(t *testing.T) {
	attacks := slicesOf(bombs(), trees(), crossReferences(), lies(), floods(), lookedAtAgain(), filterAttacks())
	if len(attacks) < 60 {
		t.Errorf("got %d attacks, want at least 60", len(attacks))
	}
	readAll(t, testtool.Spread(attacks, 0, 3), func(t *testing.T, a attack, data []byte) {
		files, err := pdfa.Extract(context.Background(), data, pdfa.Limits{})
		if got := judge(files, err); got != a.want && a.want != whatever {
			t.Errorf("got %s (%v), want %s", got, err, a.want)
		}
	})
}

// readAll reads the file of each attack and reports those that take too much CPU
// time or memory.
func readAll(t *testing.T, attacks []attack, read func(t *testing.T, a attack, data []byte)) {
	t.Helper()
	worstCPU, worstMemory := 0.0, uint64(0)
	slowest, largest := "", ""
	most := maxCPU * deflating(t)
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			data := a.data()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := cpuTime(t)
			read(t, a, data)
			spent := cpuTime(t) - start
			runtime.ReadMemStats(&after)
			memory := after.TotalAlloc - before.TotalAlloc
			for tries := 0; spent > most && tries < 4 && !testtool.Raced; tries++ { // the machine may be busy
				most = maxCPU * deflating(t)
				start = cpuTime(t)
				read(t, a, data)
				spent = cpuTime(t) - start
			}
			if spent > most && !testtool.Raced || memory > maxMemory {
				t.Errorf("%d bytes took %.0f ms and %d KiB, want at most %.0f ms and %d KiB", len(data), spent, memory>>10, most, maxMemory>>10)
			}
			if spent > worstCPU {
				worstCPU, slowest = spent, a.name
			}
			if memory > worstMemory {
				worstMemory, largest = memory, a.name
			}
		})
	}
	t.Logf("%d attacks, worst %.0f ms (%s) and %d KiB (%s)", len(attacks), worstCPU, slowest, worstMemory>>10, largest)
}

func slicesOf(groups ...[]attack) []attack {
	var all []attack
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

func embedded(dict, data string) func() []byte {
	return func() []byte { return withFile(stream("/Type/EmbeddedFile"+dict, data)).bytes() }
}

// bombs returns small PDFs that decompress to large data.
func bombs() []attack {
	return []attack{
		{"flate bomb", func() []byte { return embedded("/Filter/FlateDecode", testtool.Zeros(64))() }, limited},
		{"flate bomb twice", func() []byte {
			return embedded("/Filter[/FlateDecode/FlateDecode]", flated(testtool.Zeros(64)))()
		}, limited},
		{"flate bomb six times", func() []byte {
			s := testtool.Zeros(32)
			for range 5 {
				s = flated(s)
			}
			return embedded("/Filter["+strings.Repeat("/FlateDecode", 6)+"]", s)()
		}, limited},
		{"flate bomb just over a file", func() []byte { return embedded("/Filter/FlateDecode", testtool.Zeros(9))() }, limited},
		{"lzw bomb", func() []byte { return embedded("/Filter/LZWDecode", lzwEarly(strings.Repeat("\x00", 17<<20)))() }, limited},
		{"lzw bomb, late", func() []byte {
			return embedded("/Filter/LZWDecode/DecodeParms<</EarlyChange 0>>", lzwLate(strings.Repeat("\x00", 17<<20)))()
		}, limited},
		{"run length bomb", func() []byte { return embedded("/Filter/RunLengthDecode", strings.Repeat("\x81\x00", 400_000))() }, limited},
		{"ascii85 bomb", func() []byte { return embedded("/Filter/ASCII85Decode", strings.Repeat("z", 5<<20))() }, limited},
		{"ascii85 and run lengths", func() []byte {
			return embedded("/Filter[/ASCII85Decode/RunLengthDecode]", strings.Repeat("z", 1<<20))()
		}, whatever},
		{"run lengths in flate", func() []byte {
			return embedded("/Filter[/FlateDecode/RunLengthDecode]", flated(strings.Repeat("\x81\x00", 4<<20)))()
		}, limited},
		{"bomb as object stream", func() []byte {
			return plain().with(6, stream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", testtool.Zeros(32))).bytes()
		}, found},
		{"catalog in a bomb", func() []byte {
			return withFile("x").packed("/Filter/FlateDecode", func(s string) string { return flated(s + strings.Repeat(" ", 24<<20)) })
		}, limited},
		{"cross-reference bomb", func() []byte {
			return crossStream("/Size 2147483647/W[1 3 2]", testtool.Zeros(24))
		}, limited},
		{"cross-reference of a million objects", func() []byte {
			return crossStream("/Size 1000000/W[1 3 2]", flated(strings.Repeat("\x01\x00\x00\x09\x00\x00", 1_000_000)))
		}, limited},
		{"ten thousand names for one bomb", func() []byte {
			b := withFile(stream("/Type/EmbeddedFile/Filter/FlateDecode", testtool.Zeros(32)))
			return b.with(1, "<</Type/Catalog/Names<</EmbeddedFiles<</Names["+strings.Repeat("(f) 4 0 R ", 10_000)+"]>>>>>>").bytes()
		}, limited},
		{"many files of a mebibyte each", func() []byte {
			b, names := plain(), ""
			for i := range 30 {
				b.with(100+2*i, fmt.Sprintf("<</F(f%d)/EF<</F %d 0 R>>>>", i, 101+2*i)).with(101+2*i, stream("/Filter/FlateDecode", testtool.Zeros(1)))
				names += fmt.Sprintf("(f%d) %d 0 R ", i, 100+2*i)
			}
			return b.with(1, "<</Type/Catalog/Names<</EmbeddedFiles<</Names["+names+"]>>>>>>").bytes()
		}, limited},
		{"more files than allowed", func() []byte {
			b, names := plain(), ""
			for i := range 40 {
				b.with(100+2*i, fmt.Sprintf("<</F(f%d)/EF<</F %d 0 R>>>>", i, 101+2*i)).with(101+2*i, stream("", "x"))
				names += fmt.Sprintf("(f%d) %d 0 R ", i, 100+2*i)
			}
			return b.with(1, "<</Type/Catalog/Names<</EmbeddedFiles<</Names["+names+"]>>>>>>").bytes()
		}, limited},
	}
}

// crossStream returns a PDF with the given cross-reference stream, whose rows are
// compressed.
func crossStream(dict, rows string) []byte {
	out := []byte("%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n")
	at := len(out)
	out = fmt.Appendf(out, "5 0 obj\n%s\nendobj\n", stream("/Type/XRef/Root 1 0 R/Filter/FlateDecode"+dict, rows))
	return fmt.Appendf(out, "startxref\n%d\n%%%%EOF", at)
}

// trees returns PDFs with cyclic or very deep structures.
func trees() []attack {
	named := func(tree string) *built {
		return plain().with(1, "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles "+tree+">>>>")
	}
	return []attack{
		{"name tree in a circle", func() []byte {
			return named("6 0 R").with(6, "<</Kids[6 0 R 7 0 R]>>").with(7, "<</Kids[6 0 R 6 0 R 7 0 R]>>").bytes()
		}, none},
		{"name tree a thousand deep", func() []byte {
			b := named("100 0 R")
			for i := range 1000 {
				b.with(100+i, fmt.Sprintf("<</Kids[%d 0 R]>>", 101+i))
			}
			return b.bytes()
		}, limited},
		{"name tree that widens", func() []byte {
			b := named("100 0 R")
			for i := range 30 { // 2^30 nodes if visited nodes are not remembered
				b.with(100+i, fmt.Sprintf("<</Kids[%d 0 R %d 0 R]>>", 101+i, 101+i))
			}
			return b.with(130, "<</Names[(a) 4 0 R]>>").bytes()
		}, found},
		{"page tree in a circle", func() []byte { return plain().with(3, "<</Type/Pages/Kids[2 0 R 3 0 R]/Count 1000000000>>").bytes() }, found},
		{"page tree a thousand deep", func() []byte {
			b := plain().with(1, "<</Type/Catalog/Pages 100 0 R>>")
			for i := range 1000 {
				b.with(100+i, fmt.Sprintf("<</Kids[%d 0 R]>>", 101+i))
			}
			return b.bytes()
		}, limited},
		{"reference to itself", func() []byte { return named("6 0 R").with(6, "6 0 R").bytes() }, malformed},
		{"references in a ring", func() []byte { return named("6 0 R").with(6, "7 0 R").with(7, "6 0 R").bytes() }, malformed},
		{"a chain of references", func() []byte {
			b := named("100 0 R")
			for i := range 100 {
				b.with(100+i, fmt.Sprintf("%d 0 R", 101+i))
			}
			return b.bytes()
		}, malformed},
		{"length in a circle", func() []byte {
			return withFile("<</Type/EmbeddedFile/Length 5 0 R>>\nstream\n" + invoiceXML + "\nendstream").bytes()
		}, found},
		{"filter in a circle", func() []byte { return embedded("/Filter 5 0 R", invoiceXML)() }, malformed},
		{"annotations in a circle", func() []byte {
			return plain().with(3, "<</Type/Page/Annots 6 0 R>>").with(6, "["+strings.Repeat("6 0 R ", 1000)+"]").bytes()
		}, found},
		{"object stream within itself", func() []byte {
			return plain().with(6, stream("/Type/ObjStm/N 1/First 4/Extends 6 0 R", "6 0 <<>>")).bytes()
		}, found},
		{"deep array", func() []byte { return plain().with(3, strings.Repeat("[", 1<<20)+strings.Repeat("]", 1<<20)).bytes() }, found},
		{"deep dictionary in the catalog", func() []byte {
			return plain().with(1, "<</Type/Catalog/X "+strings.Repeat("<</A ", 500_000)+"1"+strings.Repeat(">>", 500_000)+">>").bytes()
		}, limited},
	}
}

// crossReferences returns PDFs with wrong cross-references.
func crossReferences() []attack {
	whole := func() string { return string(plain().bytes()) }
	table := func() int { return strings.Index(whole(), "xref\n0") }
	cross := func(dict, rows string) func() []byte { return func() []byte { return crossStream(dict, flated(rows)) } }
	ones := strings.Repeat("\x01", 1000)
	return []attack{
		{"previous section is itself", func() []byte { return plain().withTrailer(fmt.Sprintf("/Prev %d", table())).bytes() }, found},
		{"previous section at a wrong offset", func() []byte { return plain().withTrailer("/Prev 15").bytes() }, found},
		{"previous section outside the file", func() []byte { return plain().withTrailer("/Prev 99999999").bytes() }, found},
		{"previous section at a negative offset", func() []byte { return plain().withTrailer("/Prev -1").bytes() }, found},
		{"a chain of sections", chainOfSections, limited},
		{"huge size", func() []byte { return []byte(strings.Replace(whole(), "/Size 6", "/Size 2147483647", 1)) }, found},
		{"huge subsection", func() []byte { return []byte(strings.Replace(whole(), "xref\n0 6", "xref\n0 999999999", 1)) }, found},
		{"subsection with a negative number", func() []byte { return []byte(strings.Replace(whole(), "xref\n0 6", "xref\n-5 6", 1)) }, found},
		{"tabs in the rows", func() []byte {
			return []byte(strings.ReplaceAll(whole(), " 00000 n", "\t00000 n"))
		}, found},
		{"huge widths", cross("/Size 10/W[1 2147483647 2]", ones), none},
		{"negative widths", cross("/Size 10/W[-1 -3 2]", ones), none},
		{"no widths", cross("/Size 10/W[0 0 0]", ones), none},
		{"two widths", cross("/Size 10/W[1 2]", ones), none},
		{"huge index", cross("/Size 10/W[1 3 2]/Index[0 2000000000]", ones), whatever},
		{"index that is not a number", cross("/Size 10/W[1 3 2]/Index[(a) null]", ones), none},
		{"stream in itself", cross("/Size 10/W[1 1 1]/Index[1 5]", "\x02\x05\x00\x02\x05\x01\x02\x05\x00\x02\x05\x00\x02\x05\x00"), none},
		{"startxref at itself", func() []byte { return []byte("%PDF-1.7\nstartxref\n9\n%%EOF") }, malformed},
	}
}

func chainOfSections() []byte {
	out := plain().bytes()
	before := strings.Index(string(out), "xref\n0")
	for range 1000 {
		at := len(out)
		out = fmt.Appendf(out, "xref\n0 0\ntrailer\n<</Size 6/Root 1 0 R/Prev %d>>\n", before)
		before = at
	}
	return fmt.Appendf(out, "startxref\n%d\n%%%%EOF\n", before)
}

// lies returns files that are not what they claim to be.
func lies() []attack {
	whole := string(plain().bytes())
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(random.UintN(256))
	}
	return []attack{
		{"nothing", func() []byte { return nil }, malformed},
		{"only a header", func() []byte { return []byte("%PDF-1.7\n") }, malformed},
		{"noise", func() []byte { return noise }, malformed},
		{"noise after a header", func() []byte { return append([]byte("%PDF-1.7\n"), noise...) }, malformed},
		{"truncated in the middle", func() []byte { return []byte(whole[:len(whole)/2]) }, whatever},
		{"truncated in the catalog", func() []byte { return []byte(whole[:60]) }, malformed},
		{"encrypted", func() []byte {
			return plain().withTrailer("/Encrypt<</Filter/Standard/V 5/R 6/Length 256/O(x)/U(y)/P -1>>/ID[(a)(b)]").bytes()
		}, encrypted},
		{"encrypted and broken", func() []byte {
			b := plain().withTrailer("/Encrypt<</Filter/Standard/V 5>>").bytes()
			return []byte(strings.Replace(string(b), "startxref\n", "startxref\n9", 1))
		}, encrypted},
		{"crypt filter", embedded("/Filter/Crypt/DecodeParms<</Name/StdCF>>", invoiceXML), encrypted},
		{"name with a path", func() []byte {
			return plain().with(4, "<</F(../../../../etc/cron.d/x)/EF<</F 5 0 R>>>>").bytes()
		}, found},
		{"file that is not a stream", func() []byte { return withFile("<</Type/EmbeddedFile>>").bytes() }, none},
		{"names of wrong types", func() []byte { return plain().with(1, "<</Type/Catalog/Names 5/AF(x)>>").bytes() }, none},
		{"negative length", func() []byte { return []byte(strings.Replace(whole, "/Length 2019", "/Length -1", 1)) }, found},
		{"no end of the stream", func() []byte { return []byte(strings.ReplaceAll(whole, "endstream", "endstrea_")) }, found},
		{"catalog is a string", func() []byte { return plain().with(1, "(catalog)").bytes() }, malformed},
		{"no catalog", func() []byte { return []byte(strings.ReplaceAll(whole, "/Root 1 0 R", "/Root 9 0 R")) }, whatever},
	}
}

// floods returns PDFs with very many objects of one type.
func floods() []attack {
	return []attack{
		{"a flood of objects", func() []byte {
			b := plain()
			for i := 6; i < 160_000; i++ {
				b.objects[i] = "<<>>"
			}
			return b.bytes()
		}, limited},
		{"a flood of values", func() []byte { return plain().with(1, "["+strings.Repeat("1 ", 2<<20)+"]").bytes() }, limited},
		{"a flood of keys", func() []byte { return plain().with(1, "<<"+strings.Repeat("/A 1", 1<<20)+">>").bytes() }, limited},
		{"a flood of brackets", func() []byte { return append(plain().bytes()[:200], strings.Repeat("(", 4<<20)...) }, whatever},
		{"a flood of comments", func() []byte { return plain().with(1, strings.Repeat("%\n", 2<<20)).bytes() }, whatever},
		{"a flood of object heads", func() []byte { return append([]byte("%PDF-1.7\n"), strings.Repeat("1 0 obj ", 600_000)...) }, whatever},
		{"a flood of object streams", func() []byte {
			return append([]byte("%PDF-1.7\n"), strings.Repeat("1 0 obj<</Type/ObjStm/N 9/First 9>>stream\n", 120_000)...)
		}, limited},
		{"a flood of trailers", func() []byte {
			return append([]byte("%PDF-1.7\n"), strings.Repeat("trailer<</Root 1 0 R>>", 200_000)...)
		}, limited},
		{"a flood of trailers that nest", func() []byte { return append([]byte("%PDF-1.7\n"), strings.Repeat("trailer[", 600_000)...) }, whatever},
		{"streams that end nowhere", func() []byte {
			b, names := plain(), ""
			for i := range 5000 {
				b.with(100+i, "<</Length 9999999>>\nstream\nx")
				names += fmt.Sprintf("(f) <</F(f)/EF<</F %d 0 R>>>> ", 100+i)
			}
			return b.with(1, "<</Type/Catalog/Names<</EmbeddedFiles<</Names["+names+"]>>>>>>").bytes()
		}, limited},
		{"annotations without end", func() []byte {
			return plain().with(3, "<</Type/Page/Annots["+strings.Repeat("6 0 R ", 40_000)+"]>>").with(6, "<<"+strings.Repeat("/A 1", 1000)+">>").bytes()
		}, found},
		{"a string of four mebibytes", func() []byte { return plain().with(4, "<</F("+strings.Repeat("a", 4<<20)+")>>").bytes() }, limited},
		{"a name of four mebibytes", func() []byte { return plain().with(4, "<</"+strings.Repeat("a", 4<<20)+" 1>>").bytes() }, whatever},
		{"larger than the input limit", func() []byte { return append(plain().bytes(), make([]byte, 33<<20)...) }, limited},
	}
}

// lookedAtAgain returns PDFs that could make a reader read the same bytes many times.
func lookedAtAgain() []attack {
	head := []byte("%PDF-1.7\n")
	return []attack{
		{"one object for all, then spaces", func() []byte { return manyAtOne(600, "<<>>") }, limited},
		{"one number for all, then spaces", func() []byte { return manyAtOne(600, "5") }, limited},
		{"half a reference for all, then spaces", func() []byte { return manyAtOne(600, "5 5") }, limited},
		{"sections before spaces", sectionsBeforeSpaces, limited},
		{"trailers of an open string", func() []byte {
			return append(append(head, strings.Repeat("trailer<", 40_000)...), strings.Repeat("x", 2<<20)...)
		}, limited},
		{"a flood of empty objects", func() []byte {
			return append(head, strings.Repeat("1 0 obj endobj strea strea ", 200_000)...)
		}, limited},
		{"a flood of objects without end", func() []byte {
			return append(head, strings.Repeat("1 0 obj endob endob strea /ObjSt /XRe /Catalo ", 200_000)...)
		}, limited},
	}
}

// manyAtOne returns a PDF with a tree of many objects that are all at the same offset,
// before 4 MiB of spaces.
func manyAtOne(many int, value string) []byte {
	out := []byte("%PDF-1.7\n1 0 obj<</Type/Catalog/Names<</EmbeddedFiles<</Kids[")
	for i := range many {
		out = fmt.Appendf(out, "%d 0 R ", 100+i)
	}
	out = append(out, "]>>>>>>endobj\n"...)
	place := len(out)
	out = append(out, "100 0 obj "+value+strings.Repeat(" ", 4<<20)+"endobj\n"...)
	at := len(out)
	out = fmt.Appendf(out, "xref\n1 1\n%010d 00000 n \n100 %d\n", len("%PDF-1.7\n"), many)
	out = append(out, strings.Repeat(fmt.Sprintf("%010d 00000 n \n", place), many)...)
	return fmt.Appendf(out, "trailer\n<</Root 1 0 R>>\nstartxref\n%d\n%%%%EOF", at)
}

// sectionsBeforeSpaces returns a PDF with a chain of sections, each of which refers to
// a stream somewhere in 4 MiB of spaces.
func sectionsBeforeSpaces() []byte {
	out := []byte("%PDF-1.7\n" + strings.Repeat(" ", 4<<20) + "xref\n0 0\ntrailer\n<</Root 1 0 R>>\n")
	before := 10
	for i := range 100 {
		at := len(out)
		out = fmt.Appendf(out, "xref\n0 0\ntrailer\n<</XRefStm %d/Prev %d>>\n", 11+i, before)
		before = at
	}
	return fmt.Appendf(out, "startxref\n%d\n%%%%EOF", before)
}

// TestExtractStopsInWhiteSpace checks that Extract notices a cancelled context while it
// skips white space.
func TestExtractStopsInWhiteSpace(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, value := range []string{"<<>>", "5", "5 5"} {
		if _, err := pdfa.Extract(ctx, manyAtOne(1, value), pdfa.Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("after %q: got %v, want %v", value, err, context.Canceled)
		}
	}
}

// TestLineIsBounded checks the CPU time of shaping a letter with very many marks or
// joined characters.
func TestLineIsBounded(t *testing.T) {
	fonts := testFonts(t)
	for _, more := range []string{"\u0301", "\u0651\u064E", "\u0301\u200D", "\u0903", "\u200D©"} {
		start := cpuTime(t)
		fonts.Line(arabic, "م"+strings.Repeat(more, 50_000))
		if spent, most := cpuTime(t)-start, 2*maxCPU*deflating(t); spent > most && !testtool.Raced {
			t.Errorf("%q took %.0f ms, want at most %.0f", more, spent, most)
		}
	}
}

// filterAttacks returns PDFs with invalid filters and filter data.
func filterAttacks() []attack {
	zeros := testtool.Zeros(1)
	return []attack{
		{"a hundred thousand filters", embedded("/Filter["+strings.Repeat("/ASCIIHexDecode", 100_000)+"]", invoiceXML), limited},
		{"unknown filter", embedded("/Filter/MyDecode", invoiceXML), malformed},
		{"image filter", embedded("/Filter/DCTDecode", invoiceXML), malformed},
		{"filter that is a number", embedded("/Filter 5", invoiceXML), malformed},
		{"flate of noise", embedded("/Filter/FlateDecode", invoiceXML), malformed},
		{"lzw of noise", embedded("/Filter/LZWDecode", "\xff\xff\xff\xff"), malformed},
		{"ascii85 of noise", embedded("/Filter/ASCII85Decode", "\x01\x02vvvv~~~"), malformed},
		{"run length that overruns", embedded("/Filter/RunLengthDecode", "\x7fabc"), found},
		{"predictor with huge columns", embedded("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 2147483647/Colors 255/BitsPerComponent 16>>", flated(invoiceXML)), malformed},
		{"predictor with as many columns as bits", func() []byte {
			return embedded("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 8388608/Colors 32/BitsPerComponent 16>>", zeros)()
		}, found},
		{"predictor with negative columns", embedded("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns -5>>", flated(invoiceXML)), malformed},
		{"unknown predictor", embedded("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 4>>", flated(strings.Repeat("\x09abcd", 100))), malformed},
		{"TIFF predictor with 4 bits", embedded("/Filter/FlateDecode/DecodeParms<</Predictor 2/BitsPerComponent 4>>", flated(invoiceXML)), malformed},
		{"empty flate", embedded("/Filter/FlateDecode", ""), whatever},
	}
}
