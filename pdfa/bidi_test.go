package pdfa

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestBidiCharacterTest runs every case of the Unicode Consortium's
// BidiCharacterTest.txt.
func TestBidiCharacterTest(t *testing.T) {
	packed, err := os.ReadFile("testdata/BidiCharacterTest.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	text, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var p paragraph
	cases, faults := 0, 0
	lines := bufio.NewScanner(text)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		cases++
		if fault := bidiFault(&p, strings.Split(line, ";")); fault != "" {
			if faults++; faults < 10 {
				t.Errorf("line %d: %s: %s", n, line, fault)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if cases < 91_000 || faults > 0 {
		t.Errorf("%d of %d cases failed, want 0 of at least 91000", faults, cases)
	}
}

// bidiFault runs one case and describes the first difference: base level, levels or
// visual order.
func bidiFault(p *paragraph, fields []string) string {
	var text []rune
	for _, f := range strings.Fields(fields[0]) {
		r, err := strconv.ParseUint(f, 16, 32)
		if err != nil {
			return err.Error()
		}
		text = append(text, rune(r))
	}
	p.resolve(text, map[string]Direction{"0": LTR, "1": RTL, "2": Auto}[fields[1]])
	if got := strconv.Itoa(int(p.base)); got != fields[2] {
		return "base level " + got
	}
	levels := p.lineLevels(nil, 0, len(text))
	var shown []string
	for _, l := range levels {
		if l == removed {
			shown = append(shown, "x")
		} else {
			shown = append(shown, strconv.Itoa(int(l)))
		}
	}
	if got := strings.Join(shown, " "); got != fields[3] {
		return "levels " + got
	}
	if got := strings.Join(visual(levels), " "); got != fields[4] {
		return "order " + got
	}
	return ""
}

func visual(levels []int8) []string {
	var order []string
	add := func(i int) {
		if levels[i] != removed {
			order = append(order, strconv.Itoa(i))
		}
	}
	for _, s := range reorder(nil, levels) {
		if s.level&1 == 0 {
			for i := s.from; i < s.to; i++ {
				add(i)
			}
			continue
		}
		for i := s.to - 1; i >= s.from; i-- {
			add(i)
		}
	}
	return order
}
