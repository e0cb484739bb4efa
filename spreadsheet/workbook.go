package spreadsheet

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// maxDirectory is how many bytes may be read to find the parts of a workbook;
// archive/zip has no limit.
const maxDirectory = 512 << 10

// workbook is an XLSX file: a ZIP file with parts, most of them XML.
type workbook struct {
	zip    *zip.Reader
	left   int64 // bytes that may still be unpacked
	limits Limits
	shared []string    // texts that cells refer to
	styles []cellStyle // formats that cells refer to
	day0   int         // day of January 1900 that has the number 0
}

func openXLSX(file *source, size int64, limits Limits) (rows, error) {
	directory := &capped{file: file, left: maxDirectory}
	packed, err := zip.NewReader(directory, size)
	if err != nil {
		return nil, malformed(err)
	}
	directory.left = -1
	w := &workbook{zip: packed, left: limits.Unpacked, limits: limits}
	main, err := w.mainPart()
	if err != nil {
		return nil, err
	}
	targets, err := w.relations(main)
	if err != nil {
		return nil, err
	}
	sheet, err := w.firstSheet(main, targets)
	if err != nil {
		return nil, err
	}
	for kind, read := range map[string]func(*part) error{toShared: w.readShared, toStyles: w.readStyles} {
		if err := w.readOther(targets, kind, read); err != nil {
			return nil, err
		}
	}
	cells, err := w.open(sheet)
	if err != nil {
		return nil, err
	}
	return &sheetRows{workbook: w, part: cells}, nil
}

// relation is a reference from one part to another.
type relation struct{ kind, target string }

// The kinds of relations, which are the last elements of their types.
const (
	toMain   = "officeDocument"
	toSheet  = "worksheet"
	toShared = "sharedStrings"
	toStyles = "styles"
)

// mainPart returns the name of the part that lists the sheets.
func (w *workbook) mainPart() (string, error) {
	all, err := w.relations("")
	if errors.Is(err, ErrTooLarge) {
		return "", err
	}
	for _, r := range all {
		if r.kind == toMain && strings.EqualFold(path.Ext(r.target), ".xml") {
			return r.target, nil
		}
	}
	return "", fmt.Errorf("%w: the ZIP file is not a workbook", ErrFormat)
}

// relations returns the relations of a part by their IDs. The name of the whole
// file is "".
func (w *workbook) relations(name string) (map[string]relation, error) {
	dir, base := path.Split(name)
	p, err := w.open(dir + "_rels/" + base + ".rels")
	if err != nil {
		return nil, err
	}
	all := map[string]relation{}
	for {
		start, err := p.find("Relationship")
		if errors.Is(err, io.EOF) {
			return all, p.end()
		}
		if err != nil {
			return nil, err
		}
		if len(all) == maxRelations {
			return nil, fmt.Errorf("%w: more than %d relations", ErrMalformed, maxRelations)
		}
		target := attribute(start, "Target")
		if !strings.HasPrefix(target, "/") {
			target = "/" + dir + target
		}
		all[attribute(start, "Id")] = relation{
			kind:   path.Base(attribute(start, "Type")),
			target: strings.TrimPrefix(path.Clean(target), "/"),
		}
	}
}

const maxRelations = 5_000

// firstSheet returns the name of the first worksheet that is not hidden.
func (w *workbook) firstSheet(main string, targets map[string]relation) (string, error) {
	p, err := w.open(main)
	if err != nil {
		return "", err
	}
	w.day0 = dayZero
	for {
		start, err := p.find("workbookPr", "sheet")
		if errors.Is(err, io.EOF) {
			return "", fmt.Errorf("%w: the workbook has no visible worksheet", ErrFormat)
		}
		if err != nil {
			return "", err
		}
		if since1904 := attribute(start, "date1904"); since1904 == "1" || since1904 == "true" {
			w.day0 = dayZero1904
		}
		state := attribute(start, "state")
		to := targets[attribute(start, "id")]
		if to.kind == toSheet && (state == "" || state == "visible") {
			return to.target, p.end()
		}
	}
}

// readOther reads the part to which a relation of the given kind points, if there
// is one.
func (w *workbook) readOther(targets map[string]relation, kind string, read func(*part) error) error {
	for _, to := range targets {
		if to.kind != kind {
			continue
		}
		p, err := w.open(to.target)
		if err != nil {
			return err
		}
		if err := read(p); err != nil {
			return err
		}
		return p.end()
	}
	return nil
}

// textCost is the memory of a text in a list, in addition to its bytes.
const textCost = 32

// readShared reads the texts that cells refer to.
func (w *workbook) readShared(p *part) error {
	size := int64(0)
	for {
		_, err := p.find("si")
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := p.richText(w.limits.Cell)
		if err != nil {
			return err
		}
		if size += int64(len(text)) + textCost; size > w.limits.Shared {
			return fmt.Errorf("%w: its cells share more than %d bytes of text", ErrTooLarge, w.limits.Shared)
		}
		w.shared = append(w.shared, text)
	}
}

// capped limits how much is read from a file, unless left is negative.
type capped struct {
	file io.ReaderAt
	left int
}

// ReadAt reads from the file, up to the limit.
func (c *capped) ReadAt(p []byte, at int64) (int, error) {
	if c.left >= 0 {
		if len(p) > c.left {
			return 0, fmt.Errorf("%w: the directory of the ZIP file is too large", ErrTooLarge)
		}
		c.left -= len(p)
	}
	return c.file.ReadAt(p, at)
}
