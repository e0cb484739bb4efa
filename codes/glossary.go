package codes

import "slices"

// Word is a term of the product in both languages.
type Word struct {
	Key string
	EN  string
	AR  string
}

// Words returns the whole glossary.
func Words() []Word { return glossary.all() }

// FindWord returns the term with the given key.
func FindWord(key string) (Word, bool) { return glossary.find(key) }

// MustWord returns the term with the given key and panics if the key is unknown.
// It is meant for keys that are constants in the source code.
func MustWord(key string) Word {
	word, ok := glossary.find(key)
	if !ok {
		panic("codes: no word " + key)
	}
	return word
}

var glossary = words(slices.Concat(
	titleWords(),
	fields,
	marks,
	terms,
	invoiceStatuses.rows,
	buyerStatuses.rows,
	deviceLabels,
	paymentStatuses.rows,
	roles.rows,
	accounts,
))

// words returns a list of terms indexed by key.
func words(rows []Word) list[string, Word] {
	return listBy(func(w Word) string { return w.Key }, rows)
}
