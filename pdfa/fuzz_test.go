package pdfa_test

import (
	"context"
	"os"
	"testing"

	"khatm/internal/testtool"
	"khatm/pdfa"
)

func FuzzExtract(f *testing.F) {
	f.Add(plain().bytes())
	f.Add(plain().packed("/Filter/FlateDecode", flated))
	f.Add(plain().packed("/Filter/LZWDecode", lzwEarly))
	f.Add(withFile(stream("/Filter[/ASCII85Decode/RunLengthDecode]", ascii85ed(runLengths(invoiceXML)))).bytes())
	f.Add(withFile(stream("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 4>>", flated("\x02abcd\x04efgh"))).bytes())
	f.Add(updated())
	f.Add(hybrid())
	for _, name := range []string{"factur-x.pdf", "pikepdf.pdf", "qpdf.pdf"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := string(data)
		start := cpuTime(t)
		files, err := pdfa.Extract(context.Background(), data, pdfa.Limits{})
		if spent := cpuTime(t) - start; spent > 400 && !testtool.Raced { // milliseconds; deflating is too slow to compare with every time
			if most := 2 * maxCPU * deflating(t); spent > most {
				t.Errorf("took %.0f ms, want at most %.0f", spent, most)
			}
		}
		if err != nil && len(files) > 0 {
			t.Errorf("Extract returned %d files and the error %v, want only one of them", len(files), err)
		}
		if string(data) != before {
			t.Error("Extract changed its input, want it unchanged")
		}
	})
}

// FuzzText draws any text in both directions. The writer must not fail, and no line may
// be wider than the given width.
func FuzzText(f *testing.F) {
	for _, text := range hostile {
		f.Add(text, 120.0)
	}
	f.Fuzz(func(t *testing.T, text string, width float64) {
		if len(text) > 4000 || !(width > 1 && width < 2000) {
			t.Skip()
		}
		s := sampleSheet(1)
		s.seller = text
		s.items = [][2]string{{text, text}}
		out := s.draw(t, testFonts(t))
		files, err := pdfa.Extract(context.Background(), out, pdfa.Limits{})
		if err != nil || len(files) != 1 || string(files[0].Data) != string(s.xml) {
			t.Errorf("Extract returned %d files, %v; want only the embedded file", len(files), err)
		}
		for _, style := range []pdfa.Style{arabic, english} {
			for _, l := range testFonts(t).Wrap(style, text, width) {
				if l.Width() > width+0.01 && width > 40 {
					t.Errorf("a line is %g points wide, want at most %g", l.Width(), width)
				}
			}
		}
	})
}
