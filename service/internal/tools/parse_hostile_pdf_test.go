package tools_test

import (
	"bytes"
	"compress/lzw"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/service/internal/servicetest"
)

func TestX2_HostilePDF(t *testing.T) {
	if withoutNetwork(t) {
		return
	}
	bird := newCanary(t)
	sealed := servicetest.SealedOf(t, sample.Simplified())
	files := slices.Concat(pdfBombs(sealed), pdfTrees(sealed), pdfTables(sealed), pdfLies(sealed), pdfFloods(sealed), pdfActions(bird, sealed), pdfXML(bird))
	withstand(t, 60, 1800, bird, files)
}

// A truncated PDF is read as far as possible.
func TestX2_TruncatedPDF(t *testing.T) {
	bird := newCanary(t)
	whole := servicetest.PDFWith("Supplement:"+strings.Repeat("x<y z", 4000), "Alternative:"+servicetest.SealedOf(t, sample.Invoice())) + strings.Repeat("% the end\n", 1000)
	var files []hostile
	for at := 0; at < len(whole); at += 1024 {
		files = append(files, hostile{fmt.Sprintf("at %d", at), fixed(whole[:at])})
	}
	withstand(t, 10, 1800, bird, files)
}

// embeds returns a PDF with a stream as an embedded file.
func embeds(dict, data string) string {
	return servicetest.WithFile(servicetest.PDFStream("/Type/EmbeddedFile"+dict, data)).String()
}

// pdfBombs returns small files that expand to large ones.
func pdfBombs(sealed string) []hostile {
	twice := sync.OnceValue(func() string { return servicetest.Flated(testtool.Zeros(128)) })
	runs := strings.Repeat("\x81\x00", 400_000)
	lzwed := func(s string) string {
		var b bytes.Buffer
		w := lzw.NewWriter(&b, lzw.MSB, 8)
		_, _ = w.Write([]byte(s))
		_ = w.Close()
		return b.String()
	}
	const late = "/DecodeParms<</EarlyChange 0>>"
	return []hostile{
		{"two stages of flate", func() string { return embeds("/Filter[/FlateDecode/FlateDecode]", twice()) }},
		{"one stage of flate", func() string { return embeds("/Filter/FlateDecode", testtool.Zeros(64)) }},
		{"just above the limit", func() string { return embeds("/Filter/FlateDecode", testtool.Zeros(11)) }},
		{"three stages", func() string {
			return embeds("/Filter[/FlateDecode/FlateDecode/FlateDecode]", servicetest.Flated(twice()))
		}},
		{"LZW", func() string { return embeds("/Filter/LZWDecode"+late, lzwed(strings.Repeat("\x00", 20<<20))) }},
		{"run lengths", func() string { return embeds("/Filter/RunLengthDecode", runs) }},
		{"ASCII85", func() string { return embeds("/Filter/ASCII85Decode", strings.Repeat("z", 5_000_000)) }},
		{"ASCII85 of run lengths", func() string { return embeds("/Filter[/ASCII85Decode/RunLengthDecode]", strings.Repeat("z", 1<<20)) }},
		{"run lengths in flate", func() string { return embeds("/Filter[/FlateDecode/RunLengthDecode]", servicetest.Flated(runs)) }},
		{"flate in LZW", func() string {
			return embeds("/Filter[/LZWDecode/FlateDecode]/DecodeParms[<</EarlyChange 0>> null]", lzwed(testtool.Zeros(64)))
		}},
		{"a hundred thousand filters", func() string { return embeds("/Filter["+strings.Repeat("/ASCIIHexDecode", 100_000)+"]", "3c") }},
		{"an invoice and a bomb", func() string {
			return servicetest.WithFile(servicetest.PDFStream("", sealed)).With(1, "<</Type/Catalog/Names<</EmbeddedFiles<</Names[(a) 4 0 R(b) 6 0 R]>>>>>>").
				With(6, "<</F(b)/EF<</F 7 0 R>>>>").With(7, servicetest.PDFStream("/Filter/FlateDecode", testtool.Zeros(64))).String()
		}},
		{"thirty files of a mebibyte", func() string {
			files := make([]string, 30)
			for i := range files {
				files[i] = "Data:" + strings.Repeat("<", 1<<20)
			}
			return servicetest.PDFWith(files...)
		}},
		{"a bomb as cross-reference stream", func() string { return crossedBy("/Size 2147483647/W[1 3 2]", testtool.Zeros(24)) }},
		{"a bomb of objects", func() string {
			return servicetest.WithFile(servicetest.PDFStream("", sealed)).With(6, servicetest.PDFStream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", testtool.Zeros(32))).String()
		}},
		{"predictor out of range", func() string {
			return embeds("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 2147483647/Colors 255/BitsPerComponent 16>>", servicetest.Flated(sealed))
		}},
	}
}

// crossed returns a PDF with the given cross-reference stream.
func crossed(dict, rows string) string { return crossedBy(dict, servicetest.Flated(rows)) }

// crossedBy is crossed with compressed rows.
func crossedBy(dict, flated string) string {
	out := "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
	at := len(out)
	out += "5 0 obj\n" + servicetest.PDFStream("/Type/XRef/Root 1 0 R/Filter/FlateDecode"+dict, flated) + "\nendobj\n"
	return out + fmt.Sprintf("startxref\n%d\n%%%%EOF", at)
}

// pdfTrees returns PDFs with circular or very deep structures.
func pdfTrees(sealed string) []hostile {
	named := func(tree string) *servicetest.PDFObjects {
		return servicetest.WithFile(servicetest.PDFStream("", sealed)).With(1, "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles "+tree+">>>>")
	}
	chain := func(m *servicetest.PDFObjects, from, n int, body string) string {
		for i := range n {
			m.With(from+i, fmt.Sprintf(body, from+1+i))
		}
		return m.String()
	}
	return []hostile{
		{"names in a circle", fixed(named("6 0 R").With(6, "<</Kids[6 0 R 7 0 R]>>").With(7, "<</Kids[6 0 R 6 0 R]>>").String())},
		{"names a thousand deep", func() string { return chain(named("100 0 R"), 100, 1000, "<</Kids[%d 0 R]>>") }},
		{"pages in a circle", fixed(servicetest.WithFile(servicetest.PDFStream("", sealed)).With(3, "<</Type/Pages/Kids[2 0 R 3 0 R]/Count 1000000000>>").String())},
		{"pages a thousand deep", func() string {
			return chain(servicetest.WithFile("null").With(1, "<</Type/Catalog/Pages 100 0 R>>"), 100, 1000, "<</Kids[%d 0 R]>>")
		}},
		{"a reference to itself", fixed(named("6 0 R").With(6, "6 0 R").String())},
		{"references in a ring", fixed(named("6 0 R").With(6, "7 0 R").With(7, "6 0 R").String())},
		{"a chain of references", func() string { return chain(named("100 0 R"), 100, 100, "%d 0 R") }},
		{"a length in a circle", fixed(servicetest.WithFile("<</Type/EmbeddedFile/Length 5 0 R>>\nstream\n" + sealed + "\nendstream").String())},
		{"a filter in a circle", fixed(embeds("/Filter 5 0 R", sealed))},
		{"objects within themselves", fixed(servicetest.WithFile(servicetest.PDFStream("", sealed)).With(6, servicetest.PDFStream("/Type/ObjStm/N 1/First 4/Extends 6 0 R", "6 0 <<>>")).String())},
		{"a deep array", func() string {
			return servicetest.WithFile(servicetest.PDFStream("", sealed)).With(3, strings.Repeat("[", 1<<20)+strings.Repeat("]", 1<<20)).String()
		}},
		{"a deep dictionary", func() string {
			return servicetest.WithFile("null").With(1, "<</A "+strings.Repeat("<</A ", 500_000)+"1"+strings.Repeat(">>", 500_000)+">>").String()
		}},
	}
}

// pdfTables returns PDFs with wrong cross-reference tables.
func pdfTables(sealed string) []hostile {
	whole := servicetest.WithFile(servicetest.PDFStream("", sealed)).String()
	table := strings.Index(whole, "xref\n0")
	ones := strings.Repeat("\x01", 1000)
	moved := func(trailer string) func() string {
		return fixed(withTrailer(servicetest.WithFile(servicetest.PDFStream("", sealed)), trailer).String())
	}
	return []hostile{
		{"previous table is itself", moved(fmt.Sprintf("/Prev %d", table))},
		{"previous table outside the file", moved("/Prev 99999999")},
		{"negative position of the previous table", moved("/Prev -1")},
		{"a thousand previous tables", func() string {
			out, before := whole, table
			for range 1000 {
				at := len(out)
				out += fmt.Sprintf("xref\n0 0\ntrailer\n<</Size 6/Root 1 0 R/Prev %d>>\n", before)
				before = at
			}
			return out + fmt.Sprintf("startxref\n%d\n%%%%EOF\n", before)
		}},
		{"size out of range", fixed(strings.Replace(whole, "/Size 6", "/Size 2147483647", 1))},
		{"subsection out of range", fixed(strings.Replace(whole, "xref\n0 6", "xref\n0 999999999", 1))},
		{"index out of range", fixed(crossed("/Size 10/W[1 3 2]/Index[0 2147483647]", ones))},
		{"widths out of range", fixed(crossed("/Size 10/W[1 2147483647 2]", ones))},
		{"negative widths", fixed(crossed("/Size 10/W[-1 -3 2]", ones))},
		{"no widths", fixed(crossed("/Size 10/W[0 0 0]", ones))},
		{"stream in itself", fixed(crossed("/Size 10/W[1 1 1]/Index[1 5]", "\x02\x05\x00\x02\x05\x01\x02\x05\x00\x02\x05\x00\x02\x05\x00"))},
		{"startxref at itself", fixed("%PDF-1.7\nstartxref\n9\n%%EOF")},
		{"startxref out of range", fixed("%PDF-1.7\nstartxref\n99999999999999999999\n%%EOF")},
		{"all objects at one position, then spaces", fixed(manyAtOnePlace(600))},
	}
}

// manyAtOnePlace puts many objects at one position, before mebibytes of spaces.
func manyAtOnePlace(many int) string {
	out := "%PDF-1.7\n1 0 obj<</Type/Catalog/Names<</EmbeddedFiles<</Kids["
	for i := range many {
		out += fmt.Sprintf("%d 0 R ", 100+i)
	}
	out += "]>>>>>>endobj\n"
	place := len(out)
	out += "100 0 obj <<>>" + strings.Repeat(" ", 4<<20) + "endobj\n"
	at := len(out)
	out += fmt.Sprintf("xref\n1 1\n%010d 00000 n \n100 %d\n", len("%PDF-1.7\n"), many) + strings.Repeat(fmt.Sprintf("%010d 00000 n \n", place), many)
	return out + fmt.Sprintf("trailer\n<</Root 1 0 R>>\nstartxref\n%d\n%%%%EOF", at)
}

// pdfLies returns PDFs that are malformed or contradict themselves.
func pdfLies(sealed string) []hostile {
	whole := servicetest.WithFile(servicetest.PDFStream("", sealed)).String()
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(random.UintN(256))
	}
	length := fmt.Sprintf("/Length %d", len(sealed))
	return []hostile{
		{"only a header", fixed("%PDF-1.7\n")},
		{"noise after a header", fixed("%PDF-1.7\n" + string(noise))},
		{"encrypted", fixed(withTrailer(servicetest.WithFile(servicetest.PDFStream("", sealed)), "/Encrypt<</Filter/Standard/V 5/R 6>>/ID[(a)(b)]").String())},
		{"encrypted and broken", fixed(strings.Replace(withTrailer(servicetest.WithFile("null"), "/Encrypt<</Filter/Standard>>").String(), "startxref\n", "startxref\n9", 1))},
		{"crypt filter", fixed(embeds("/Filter/Crypt/DecodeParms<</Name/StdCF>>", sealed))},
		{"a file name with ..", fixed(strings.ReplaceAll(whole, "(invoice.xml)", "(../../../../etc/cron.d/x)"))},
		{"a file name of control characters", fixed(strings.ReplaceAll(whole, "(invoice.xml)", "(\\000\\033[2J\\r\\nx)"))},
		{"a length of 2 GiB", fixed(strings.Replace(whole, length, "/Length 2147483648", 1))},
		{"a negative length", fixed(strings.Replace(whole, length, "/Length -1", 1))},
		{"a length of zero", fixed(strings.Replace(whole, length, "/Length 0", 1))},
		{"no end of the stream", fixed(strings.ReplaceAll(whole, "endstream", "endstrea_"))},
		{"a file that is not a stream", fixed(servicetest.WithFile("<</Type/EmbeddedFile>>").String())},
		{"a catalog that is a string", fixed(servicetest.WithFile("null").With(1, "(catalog)").String())},
		{"an unknown filter", fixed(embeds("/Filter/MyDecode", sealed))},
		{"an image filter", fixed(embeds("/Filter/DCTDecode", sealed))},
		{"flate of noise", fixed(embeds("/Filter/FlateDecode", string(noise)))},
	}
}

// pdfFloods returns PDFs that repeat one thing very often.
func pdfFloods(sealed string) []hostile {
	flood := func(piece string, size int) func() string {
		return func() string { return "%PDF-1.7\n" + strings.Repeat(piece, size/len(piece)) }
	}
	return []hostile{
		{"60,000 objects", func() string {
			m := servicetest.WithFile(servicetest.PDFStream("", sealed))
			for i := 6; i < 60_000; i++ {
				m.Objects[i] = "<<>>"
			}
			return m.String()
		}},
		{"100,000 files", func() string {
			m := servicetest.WithFile("null").With(4, "<</F(x)/EF<</F 5 0 R>>>>")
			return m.With(1, "<</Type/Catalog/Names<</EmbeddedFiles<</Names["+strings.Repeat("(f)<</F(f)/EF<</F 5 0 R>>>>", 100_000)+"]>>>>>>").String()
		}},
		{"forty files", func() string {
			files := make([]string, 40)
			for i := range files {
				files[i] = fmt.Sprintf("Data:<a%d/>", i)
			}
			return servicetest.PDFWith(files...)
		}},
		{"32 invoices", func() string {
			files := make([]string, 32)
			for i := range files {
				files[i] = "Data:" + strings.Replace(sealed, "</Invoice>", strings.Repeat(" ", i)+"</Invoice>", 1)
			}
			return servicetest.PDFWith(files...)
		}},
		{"values", func() string {
			return servicetest.WithFile("null").With(1, "["+strings.Repeat("1 ", 2<<20)+"]").String()
		}},
		{"keys", func() string {
			return servicetest.WithFile("null").With(1, "<<"+strings.Repeat("/A 1", 1<<20)+">>").String()
		}},
		{"brackets", flood("(", 5_000_000)},
		{"comments", func() string { return servicetest.WithFile("null").With(1, strings.Repeat("%\n", 2<<20)).String() }},
		{"heads", flood("1 0 obj ", 5_000_000)},
		{"streams of objects", flood("1 0 obj<</Type/ObjStm/N 9/First 9>>stream\n", 5_000_000)},
		{"trailers", flood("trailer<</Root 1 0 R>>", 5_000_000)},
		{"trailers that nest", flood("trailer[", 5_000_000)},
		{"empty objects", flood("1 0 obj endobj strea strea ", 5_000_000)},
		{"file headers", flood("%PDF-1.7\n", 5_000_000)},
		{"a text of four mebibytes", func() string {
			return servicetest.WithFile("null").With(4, "<</F("+strings.Repeat("a", 4<<20)+")>>").String()
		}},
	}
}

// pdfActions returns PDFs with actions, which must not be executed.
func pdfActions(bird *canary, sealed string) []hostile {
	acts := func(action string) func() string {
		return fixed(servicetest.WithFile(servicetest.PDFStream("", sealed)).
			With(1, "<</Type/Catalog/Pages 2 0 R/OpenAction "+action+"/AA<</WC "+action+"/DP "+action+">>/Names<</JavaScript<</Names[(a) "+action+"]>>/EmbeddedFiles<</Names[(invoice.xml) 4 0 R]>>>>>>").
			With(3, "<</Type/Page/Parent 2 0 R/AA<</O "+action+">>/Annots[<</Subtype/Link/A "+action+">>]>>").String())
	}
	return []hostile{
		{"JavaScript", acts("<</S/JavaScript/JS(app.launchURL\\('" + bird.url + "'\\))>>")},
		{"launch", acts("<</S/Launch/F(/bin/sh)/Win<</F(cmd.exe)/P(/c calc)>>>>")},
		{"URL", acts("<</S/URI/URI(" + bird.url + ")>>")},
		{"form submission", acts("<</S/SubmitForm/F<</FS/URL/F(" + bird.url + ")>>>>")},
		{"data import", acts("<</S/ImportData/F(" + bird.file + ")>>")},
		{"another file", acts("<</S/GoToR/F(" + bird.file + ")/D[0/Fit]>>")},
		{"an external file", fixed(servicetest.WithFile("null").With(4, "<</Type/Filespec/FS/URL/F("+bird.url+"/invoice.xml)/AFRelationship/Data>>").String())},
		{"a local file", fixed(servicetest.WithFile("null").With(4, "<</Type/Filespec/F("+bird.file+")/AFRelationship/Data>>").String())},
		{"an external stream", fixed(servicetest.WithFile("<</Type/EmbeddedFile/F<</FS/URL/F(" + bird.url + ")>>/Length 0>>\nstream\n\nendstream").String())},
		{"an XFA form", fixed(servicetest.WithFile(servicetest.PDFStream("", sealed)).With(1, "<</Type/Catalog/Pages 2 0 R/AcroForm<</XFA 6 0 R>>>>").With(6, servicetest.PDFStream("", "<!DOCTYPE a SYSTEM '"+bird.url+"'><a/>")).String())},
	}
}

// pdfXML returns valid PDFs with hostile XML.
func pdfXML(bird *canary) []hostile {
	var all []hostile
	for _, f := range entities(bird) {
		all = append(all, hostile{"PDF of " + f.name, func() string { return servicetest.PDFWith("Alternative:" + f.data()) }})
	}
	return all
}
