package spreadsheet_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"khatm/spreadsheet"
)

// row is a row with its number.
type row struct {
	Number int
	Cells  []string
}

// readAll returns the rows of a file up to its end or the first error that ends
// the reading, and the errors of cells.
func readAll(file []byte, limits spreadsheet.Limits) (all []row, cells []*spreadsheet.CellError, err error) {
	r, err := spreadsheet.NewReader(bytes.NewReader(file), int64(len(file)), limits)
	if err != nil {
		return nil, nil, err
	}
	for {
		got, err := r.Read()
		var cell *spreadsheet.CellError
		if errors.As(err, &cell) {
			cells = append(cells, cell)
		} else if errors.Is(err, io.EOF) {
			return all, cells, nil
		} else if err != nil {
			return all, cells, err
		}
		all = append(all, row{r.Row(), got})
	}
}

// wantRows checks that a file has exactly these rows.
func wantRows(t *testing.T, file []byte, want ...row) {
	t.Helper()
	got, cells, err := readAll(file, spreadsheet.Limits{})
	if err != nil || len(cells) > 0 {
		t.Fatalf("errors = %v, %v", err, cells)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestCSV_Rows(t *testing.T) {
	cases := []struct {
		name, text string
		want       []row
	}{
		{"comma", "a,b\n1,2\n", []row{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		{"semicolon", "a;b,c;d\n1;2\n", []row{{1, []string{"a", "b,c", "d"}}, {2, []string{"1", "2"}}}},
		{"tab", "a\tb\n1\t2", []row{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		{"separators in quotes do not count", "\";;;\",b\n", []row{{1, []string{";;;", "b"}}}},
		{"title above the table", "Clients\na;b\n", []row{{1, []string{"Clients"}}, {2, []string{"a", "b"}}}},
		{"separator line", "sep=|\r\na|b,c,d\r\n", []row{{2, []string{"a", "b,c,d"}}}},
		{"no separator line", "sep=a,b\n", []row{{1, []string{"sep=a", "b"}}}},
		{"line ends", "a\r\nb\rc\nd", []row{{1, []string{"a"}}, {2, []string{"b"}}, {3, []string{"c"}}, {4, []string{"d"}}}},
		{"blank rows are counted", "a\n\n , \nb\n", []row{{1, []string{"a"}}, {4, []string{"b"}}}},
		{"blank cells at the end", "a,,\n,b,\n", []row{{1, []string{"a"}}, {2, []string{"", "b"}}}},
		{"quotes", "\"a\"\"b\",\"c,d\",e\"f\n", []row{{1, []string{`a"b`, "c,d", `e"f`}}}},
		{"text after quotes", "\"a\"b,c\n", []row{{1, []string{"ab", "c"}}}},
		{"lines in quotes", "\"a\r\nb\",c\nd\n", []row{{1, []string{"a\nb", "c"}}, {2, []string{"d"}}}},
		{"byte order mark", "\ufeffa,b\n", []row{{1, []string{"a", "b"}}}},
		{"empty quoted cell at the end", "a\n\"\"", []row{{1, []string{"a"}}}},
		{"nothing", "", nil},
		{"only a byte order mark", "\ufeff", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantRows(t, []byte(c.text), c.want...) })
	}
}

const arabicCSV = "الاسم;المدينة\nشركة الأمل;الرياض\n"

var arabicRows = []row{{1, []string{"الاسم", "المدينة"}}, {2, []string{"شركة الأمل", "الرياض"}}}

func TestCSV_Windows1256(t *testing.T) {
	file, err := charmap.Windows1256.NewEncoder().Bytes([]byte(arabicCSV))
	if err != nil {
		t.Fatal(err)
	}
	wantRows(t, file, arabicRows...)
}

func TestCSV_UTF8AndUTF16(t *testing.T) {
	wantRows(t, []byte(arabicCSV), arabicRows...)
	for _, order := range []unicode.Endianness{unicode.BigEndian, unicode.LittleEndian} {
		file, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().Bytes([]byte(arabicCSV))
		if err != nil {
			t.Fatal(err)
		}
		wantRows(t, file, arabicRows...)
	}
}

func TestCSV_Refused(t *testing.T) {
	cases := []struct {
		name, text string
		want       error
	}{
		{"NUL", "a\x00b\n", spreadsheet.ErrFormat},
		{"old workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00\x00", spreadsheet.ErrFormat},
		{"NUL in UTF-16", "\xff\xfea\x00\x00\x00", spreadsheet.ErrFormat},
		{"open quotes", "a,\"b\nc\n", spreadsheet.ErrMalformed},
		{"damaged UTF-8", arabicCSV + "\xd8\n", spreadsheet.ErrMalformed},
		{"byte order mark and Windows-1256", "\ufeff\xc7\xe1\n", spreadsheet.ErrMalformed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := readAll([]byte(c.text), spreadsheet.Limits{}); !errors.Is(err, c.want) {
				t.Errorf("error = %v, want %v", err, c.want)
			}
		})
	}
}

// TestCSV_Limits checks that a cell beyond a limit does not end the reading, and
// that a row beyond it does.
func TestCSV_Limits(t *testing.T) {
	text := "a,b\nlong text,c\n1,2,,\n1,2,3\n\"12345\",\"123456\"\n"
	got, cells, err := readAll([]byte(text), spreadsheet.Limits{Rows: 5, Columns: 2, Cell: 5})
	if err != nil {
		t.Fatal(err)
	}
	wantFaults(t, cells, "cell A2: text too long", "cell C4: beyond the last column allowed", "cell B5: text too long")
	want := []row{{1, []string{"a", "b"}}, {2, []string{"", "c"}}, {3, []string{"1", "2"}}, {4, []string{"1", "2"}}, {5, []string{"12345"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	got, _, err = readAll([]byte(text), spreadsheet.Limits{Rows: 4})
	if len(got) != 4 || !errors.Is(err, spreadsheet.ErrTooManyRows) {
		t.Errorf("%d rows, error %v; want 4 rows and ErrTooManyRows", len(got), err)
	}
}

// wantFaults checks the errors of cells.
func wantFaults(t *testing.T, cells []*spreadsheet.CellError, want ...string) {
	t.Helper()
	var got []string
	for _, c := range cells {
		got = append(got, c.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("errors of cells = %q, want %q", got, want)
	}
}

// failing is a file that cannot be read after its first bytes.
type failing struct {
	io.ReaderAt
	from int64
}

var errDisk = errors.New("disk error")

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.from {
		return 0, errDisk
	}
	return f.ReaderAt.ReadAt(p, at)
}

// TestReader_ErrorOfTheFile checks that a disk error is not reported as a
// malformed file.
func TestReader_ErrorOfTheFile(t *testing.T) {
	for name, file := range map[string][]byte{
		"CSV":  []byte(strings.Repeat("a,b\n", 100_000)),
		"XLSX": written(t, spreadsheet.XLSX, spreadsheet.Sheet{}, many(5_000)...),
	} {
		for _, from := range []int64{0, 100, int64(len(file)) / 2, int64(len(file)) - 1} {
			r, err := spreadsheet.NewReader(failing{bytes.NewReader(file), from}, int64(len(file)), spreadsheet.Limits{})
			for err == nil {
				_, err = r.Read()
			}
			if !errors.Is(err, errDisk) {
				t.Errorf("%s that fails from byte %d: error = %v, want the error of the disk", name, from, err)
			}
		}
	}
}
