// Package codes holds the code lists of the tax document and the glossary,
// in English and Arabic.
//
// Each list is written down once, as a table in a file of its own, and every
// answer is derived from that table:
//
//   - A plural function reads a list in its published order: [Units],
//     [Currencies], [Reasons]. It returns a copy, so that nobody can change
//     the table.
//   - A Find function looks one entry up by its code in constant time:
//     [FindCategory], [FindReason], [FindUnit]. Codes are compared byte by
//     byte: "s" is not "S" and "010" is not "10".
//   - [IsCurrency] and [IsCountry] only say whether the code is known.
//
// Nearly every list is made of [Entry]; a richer type embeds it and adds what
// its list knows more ([Category] its rates, [Reason] its category,
// [Classification] its uuid). Document types and payment means have codes
// that are integers.
//
// A code goes into the tax document; a Key is the entry's name in the maps of
// the reference endpoints. Neither ever changes or gets a second meaning. The
// texts are for people; the Arabic is ours and may be reworded, the English is
// mostly the registry's, and the keys of allowance and charge reasons are
// spelled after it.
//
// The glossary says each term of the product once, as a [Word]: the titles
// and fields of a printed document, the states of invoices, devices and
// payments, and the roles. Ask it with [FindWord], or with [MustWord] where
// the key stands in the source.
//
// The package decides nothing about a document: which code may stand where is
// the affair of the rules.
package codes

import (
	"slices"
	"strings"
)

// Entry is one line of a code list.
type Entry struct {
	Key  string // name of the entry, e.g. IN_CASH; unique in its list
	Code string // what stands in the document
	EN   string
	AR   string // empty where the list has no Arabic
}

// list is a table in its published order with an index over its codes. It is
// built once and never changed.
type list[K comparable, T any] struct {
	rows []T
	at   map[K]int
}

// listBy indexes the rows by their codes. Of two rows with one code the first
// is found.
func listBy[K comparable, T any](code func(T) K, rows []T) list[K, T] {
	at := make(map[K]int, len(rows))
	for i, row := range rows {
		if _, taken := at[code(row)]; !taken {
			at[code(row)] = i
		}
	}
	return list[K, T]{rows, at}
}

func (l list[K, T]) all() []T { return slices.Clone(l.rows) }

func (l list[K, T]) has(code K) bool {
	_, ok := l.at[code]
	return ok
}

func (l list[K, T]) find(code K) (T, bool) {
	i, ok := l.at[code]
	if !ok {
		var none T
		return none, false
	}
	return l.rows[i], true
}

// entries makes a list of entries that have their own keys.
func entries(rows []Entry) list[string, Entry] {
	return listBy(func(e Entry) string { return e.Code }, rows)
}

// named makes a list of rows {code, English, Arabic} whose codes are known by
// heart and therefore serve as the keys.
func named(rows [][3]string) list[string, Entry] {
	list := make([]Entry, len(rows))
	for i, row := range rows {
		list[i] = Entry{Key: row[0], Code: row[0], EN: row[1], AR: row[2]}
	}
	return entries(list)
}

// spelled makes a list of rows {code, English, Arabic} whose keys are spelled
// after the English names, which for that reason stay as they are.
func spelled(rows [][3]string) list[string, Entry] {
	list := make([]Entry, len(rows))
	for i, row := range rows {
		list[i] = Entry{Key: keyOf(row[1]), Code: row[0], EN: row[1], AR: row[2]}
	}
	return entries(list)
}

// keyOf spells a name as a key: capital letters and digits, an underscore for
// whatever stands between words, apostrophes left out. "Layout/design" is
// LAYOUT_DESIGN, "Manufacturer's consumer discount" is
// MANUFACTURERS_CONSUMER_DISCOUNT.
func keyOf(name string) string {
	name = strings.ToUpper(strings.ReplaceAll(name, "'", ""))
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}), "_")
}
