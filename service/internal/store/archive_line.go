package store

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/service/internal/database"
)

// The archive is a sequence of lines, each a JSON object. A line of kind
// "document" contains the rows that the append of one document has inserted,
// with the columns that it has set. A line of kind "rows" contains rows of other
// tables as they are after a change, or the keys of deleted rows. Of two lines
// about the same row the one with the higher seq is later.

// documentInsert is a statement with which an append inserts rows of documents.
type documentInsert struct {
	text    string // up to and including the columns
	table   string
	columns []string
	of      string // condition that selects the rows of one document by organisation $1 and invoice $2
}

// documentInserts are the statements whose rows are archived with a document.
var documentInserts = func() []documentInsert {
	byInvoice := `org_id = $1 AND invoice_id = $2`
	all := []documentInsert{
		{text: insertInvoice, of: `org_id = $1 AND id = $2`},
		{text: insertDocument, of: byInvoice},
		{text: insertVAT, of: byInvoice},
		{text: insertSubmission, of: byInvoice},
		{text: insertShare, of: byInvoice},
		{text: insertGuard, of: byInvoice},
		{text: insertCredit, of: `org_id = $1 AND note_id = $2`},
		{text: insertDeduction, of: byInvoice},
		// The entry of the audit trail has a later id than the invoice.
		{text: insertEvent, of: `org_id = $1 AND id > $2 AND action = 'invoice.create' AND subject = CAST($2 AS TEXT) ORDER BY id LIMIT 1`},
	}
	for i := range all {
		head, columns, _ := strings.Cut(strings.TrimSuffix(all[i].text, ")"), " (")
		all[i].table = strings.TrimPrefix(head, "INSERT INTO ")
		for column := range strings.SplitSeq(columns, ",") {
			all[i].columns = append(all[i].columns, strings.TrimSpace(column))
		}
	}
	return all
}()

// documentLine is the line of a document before it is encoded.
type documentLine struct {
	of    uuid.UUID
	id    uuid.UUID
	place int64
	rows  [][][]any // values of the inserted rows, by index of documentInserts
	by    *handedOver
}

func newDocumentLine(of, id uuid.UUID, place int64) *documentLine {
	return &documentLine{of: of, id: id, place: place, rows: make([][][]any, len(documentInserts))}
}

// add adds a row that is inserted with a statement. Other statements than
// documentInserts are ignored.
func (l *documentLine) add(insert string, values []any) {
	for i := range documentInserts {
		if documentInserts[i].text == insert {
			l.rows[i] = append(l.rows[i], values)
			return
		}
	}
}

// encode returns the line.
func (l *documentLine) encode(seq int64) ([]byte, error) {
	b := make([]byte, 0, l.size())
	b = strconv.AppendInt(append(b, `{"kind":"document","seq":`...), seq, 10)
	b = append(append(append(b, `,"org":"`...), l.of.String()...), `","place":`...)
	b = append(append(append(strconv.AppendInt(b, l.place, 10), `,"id":"`...), l.id.String()...), `","rows":{`...)
	first := true
	for i, rows := range l.rows {
		if len(rows) == 0 {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(append(b, '"'), documentInserts[i].table...), `":[`...)
		var err error
		if b, err = appendRows(b, documentInserts[i].columns, rows); err != nil {
			return nil, fmt.Errorf("encode a row of table %s for the archive: %w", documentInserts[i].table, err)
		}
		b = append(b, ']')
	}
	return append(b, "}}"...), nil
}

// size returns an estimate of the length of the line.
func (l *documentLine) size() int {
	n := 4 << 10
	for _, rows := range l.rows {
		for _, values := range rows {
			for _, value := range values {
				switch v := value.(type) {
				case string:
					n += len(v)*9/8 + 8 // with escapes
				case []byte:
					n += len(v)*4/3 + 8
				}
			}
		}
	}
	return n
}

// appendRows appends rows, separated by commas. Several rows are sorted, so that
// their order is the same when they are read from the database.
func appendRows(b []byte, columns []string, rows [][]any) ([]byte, error) {
	if len(rows) == 1 {
		return appendRow(b, columns, rows[0])
	}
	encoded := make([][]byte, len(rows))
	for n, values := range rows {
		var err error
		if encoded[n], err = appendRow(nil, columns, values); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(encoded, bytes.Compare)
	return append(b, bytes.Join(encoded, []byte{','})...), nil
}

// readDocument reads the line of a document. It has no rows if the document
// does not exist.
func readDocument(ctx context.Context, db database.Reader, of, id uuid.UUID) (*documentLine, error) {
	l := newDocumentLine(of, id, 0)
	for i, insert := range documentInserts {
		query := `SELECT ` + strings.Join(insert.columns, ", ") + ` FROM ` + insert.table + ` WHERE ` + insert.of
		err := database.Each(ctx, db, database.Query{Text: query, Args: []any{of, id}, Row: func(row scanner) error {
			values, err := scanValues(row, len(insert.columns))
			l.rows[i] = append(l.rows[i], values)
			return err
		}})
		if err != nil {
			return nil, fmt.Errorf("read table %s of invoice %s for the archive: %w", insert.table, id, err)
		}
	}
	if len(l.rows[0]) == 1 {
		l.place, _ = l.rows[0][0][0].(int64) // the first column of invoice
	}
	return l, nil
}

// scanValues reads the columns of a row as the driver returns them.
func scanValues(row scanner, n int) ([]any, error) {
	values := make([]any, n)
	into := make([]any, n)
	for i := range values {
		into[i] = &values[i]
	}
	return values, row.Scan(into...)
}

// rowLine returns the line of a row after a change, or of a deleted row, of which
// only the key is given.
func rowLine(seq int64, table string, columns []string, values []any, deleted bool) ([]byte, error) {
	b := append([]byte(`{"kind":"rows","seq":`), strconv.FormatInt(seq, 10)...)
	b = append(append(append(b, `,"changes":[{"table":"`...), table...), '"')
	what := `,"row":`
	if deleted {
		what = `,"deleted":`
	}
	b, err := appendRow(append(b, what...), columns, values)
	if err != nil {
		return nil, fmt.Errorf("encode a row of table %s for the archive: %w", table, err)
	}
	return append(b, "}]}"...), nil
}

// appendRow appends a row as a JSON object.
func appendRow(b []byte, columns []string, values []any) ([]byte, error) {
	if len(columns) != len(values) {
		return nil, fmt.Errorf("%d values for %d columns", len(values), len(columns))
	}
	b = append(b, '{')
	for i, column := range columns {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendColumn(b, column, values[i]); err != nil {
			return nil, fmt.Errorf("column %s: %w", column, err)
		}
	}
	return append(b, '}'), nil
}

// asText lists the binary columns that contain XML. They are archived as text, so
// that a document can be read from a line without decoding. base64Suffix is
// appended to the name of such a column, or one of type text, if its value is not
// valid UTF-8.
var asText = []string{"xml", "stamped"}

const base64Suffix = "_base64"

// appendColumn appends a name and a value: a number, a string, or null. Binary
// values are encoded in base64.
func appendColumn(b []byte, column string, value any) ([]byte, error) {
	value, err := driver.DefaultParameterConverter.ConvertValue(value)
	if err != nil {
		return nil, err
	}
	b = append(append(b, '"'), column...)
	switch v := value.(type) {
	case nil:
		return append(b, `":null`...), nil
	case int64:
		return strconv.AppendInt(append(b, `":`...), v, 10), nil
	case string:
		if !utf8.ValidString(v) { // damaged, or written by another program
			return appendBase64(append(b, base64Suffix...), []byte(v)), nil
		}
		return appendText(append(b, `":`...), v), nil
	case []byte:
		text := slices.Contains(asText, column)
		switch {
		case v == nil:
			return append(b, `":null`...), nil
		case text && utf8.Valid(v):
			return appendText(append(b, `":`...), v), nil
		case text:
			b = append(b, base64Suffix...)
		}
		return appendBase64(b, v), nil
	}
	return nil, fmt.Errorf("a value of type %T cannot be archived", value)
}

// appendBase64 ends the name of a column and appends its value in base64.
func appendBase64(b, value []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(b, `":"`...), value), '"')
}

// appendText appends a JSON string. Unlike encoding/json it does not escape the angle
// brackets of XML.
func appendText[T string | []byte](b []byte, text T) []byte {
	b = append(b, '"')
	from := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		default:
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return append(append(b, text[from:]...), '"')
}

// archivedLine is a decoded line.
type archivedLine struct {
	Kind string `json:"kind"`
	Seq  int64  `json:"seq"`

	Org   uuid.UUID                `json:"org"`
	Place int64                    `json:"place"`
	ID    uuid.UUID                `json:"id"`
	Rows  map[string][]archivedRow `json:"rows"`

	Changes []archivedChange `json:"changes"`
}

type archivedChange struct {
	Table   string      `json:"table"`
	Row     archivedRow `json:"row"`
	Deleted archivedRow `json:"deleted"`
}

// archivedRow is a row with its values as JSON: json.Number, string or nil.
type archivedRow map[string]any

// parseLine decodes a line.
func parseLine(line []byte) (archivedLine, error) {
	var l archivedLine
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&l); err != nil {
		return l, fmt.Errorf("decode a line of the archive: %w", err)
	}
	return l, nil
}
