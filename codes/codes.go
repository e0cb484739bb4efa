// Package codes provides the code lists used in Saudi tax invoices and a
// glossary of the product's terms, in English and Arabic.
//
// Each code list is a table in its own file. Three kinds of functions read it:
//
//   - A plural function returns the list in its published order: [Units],
//     [Currencies], [Reasons]. It returns a copy that callers may change.
//   - A Find function looks up one entry by its code in constant time:
//     [FindCategory], [FindReason], [FindUnit]. Codes are compared byte by
//     byte: "s" is not "S" and "010" is not "10".
//   - [IsCurrency] and [IsCountry] only report whether the code is known.
//
// Most lists consist of [Entry] values. Other types embed Entry and add
// fields: [Category] its VAT rates, [Reason] its category, [Classification]
// its UUID. The codes of [DocumentType] and [PaymentMeans] are integers.
//
// A Code is written into the tax document; a Key names the entry in the
// responses of the reference endpoints. Neither ever changes or is reused for
// something else. The texts are for people. The Arabic is our own and may be
// reworded. The English is mostly that of the official registries, and the
// keys of the allowance and charge reasons are derived from it.
//
// The glossary has one [Word] for each term of the product: the titles and
// field labels of a printed document, the statuses of invoices, devices and
// payments, and the roles. Look a word up with [FindWord], or with [MustWord]
// if the key is a constant in the source code.
//
// The package does not check documents. Package rules decides which code is
// allowed in which place.
package codes

import (
	"slices"
	"strings"
)

// Entry is one row of a code list.
type Entry struct {
	Key  string // name of the entry, such as IN_CASH; unique in its list
	Code string // the code written into the document
	EN   string // English text
	AR   string // Arabic text; empty if the list has none
}

// list is a table in its published order with an index by code. It is built
// once and never changed.
type list[K comparable, T any] struct {
	rows []T
	at   map[K]int
}

// listBy indexes the rows by their codes. If two rows have the same code, find
// returns the first.
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

// entries returns a list of entries whose keys are given.
func entries(rows []Entry) list[string, Entry] {
	return listBy(func(e Entry) string { return e.Code }, rows)
}

// keyedByCode returns a list of rows {code, English, Arabic} that uses the codes as
// keys, because the codes are well known.
func keyedByCode(rows [][3]string) list[string, Entry] {
	list := make([]Entry, len(rows))
	for i, row := range rows {
		list[i] = Entry{Key: row[0], Code: row[0], EN: row[1], AR: row[2]}
	}
	return entries(list)
}

// keyedByEnglish returns a list of rows {code, English, Arabic} whose keys are derived
// from the English texts. Changing an English text would change its key.
func keyedByEnglish(rows [][3]string) list[string, Entry] {
	list := make([]Entry, len(rows))
	for i, row := range rows {
		list[i] = Entry{Key: keyOf(row[1]), Code: row[0], EN: row[1], AR: row[2]}
	}
	return entries(list)
}

// keyOf turns a name into a key: letters are upper-cased, apostrophes are
// removed, and each run of other characters becomes an underscore.
// "Layout/design" is LAYOUT_DESIGN, "Manufacturer's consumer discount" is
// MANUFACTURERS_CONSUMER_DISCOUNT.
func keyOf(name string) string {
	name = strings.ToUpper(strings.ReplaceAll(name, "'", ""))
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}), "_")
}
