package fault

import "slices"

// Code identifies an error to programs, in snake_case. A code never changes its
// meaning and is never used for another error. Every code is in docs/errors.md.
type Code string

// Entry describes a code for the documentation, and gives the texts of an error
// that has none of its own.
type Entry struct {
	Code   Code
	Kind   Kind
	Says   string // what happened
	Fix    string // what to do
	SaysAR string
	FixAR  string
	Silent bool // docs/contract.md requires a response without code
}

// Entries returns all codes except those of invoice requests, which package
// issue describes.
func Entries() []Entry {
	return slices.Concat(
		accessEntries,
		requestEntries,
		recordEntries,
		draftEntries,
		correctEntries,
		peopleEntries,
		factorEntries,
		trailEntries,
		environmentEntries,
		paymentEntries,
		viewEntries,
		earlierEntries,
		importEntries,
		deviceEntries,
		loadEntries,
		toolEntries,
	)
}

// index contains the entries by code. Codes of invoice requests have no texts.
var index = func() map[Code]Entry {
	all := map[Code]Entry{}
	for _, e := range Entries() {
		all[e.Code] = e
	}
	for _, c := range slices.Concat(previewCodes, fieldCodes, repeatCodes) {
		all[c] = Entry{Code: c, Kind: Invalid}
	}
	return all
}()

// Entry returns the description of the code. An unknown code is an internal
// error.
func (c Code) Entry() Entry { return index[c] }

// Kind returns the kind of all errors with this code.
func (c Code) Kind() Kind { return index[c].Kind }

// Example returns the message of an error with this code that the documentation
// shows.
func (c Code) Example() string {
	for what, code := range missing {
		if code == c {
			return what + " not found"
		}
	}
	return c.Entry().Says
}

// missing contains the codes of Missing by the name of the record.
var missing = map[string]Code{
	"API key":         KeyNotFound,
	"Branch":          BranchNotFound,
	"Buyer":           BuyerNotFound,
	"Draft":           DraftNotFound,
	"Earlier invoice": EarlierNotFound,
	"Image":           ImageNotFound,
	"Import":          ImportNotFound,
	"Invitation":      InvitationNotFound,
	"Invoice":         InvoiceNotFound,
	"Invoice PDF":     PDFNotFound,
	"Item":            ItemNotFound,
	"Letter":          LetterNotFound,
	"Logo":            LogoNotFound,
	"Member":          MemberNotFound,
	"Reason":          ReasonNotFound,
	"View":            ViewNotFound,
	"Receipt":         ReceiptNotFound,
	"Refund":          RefundNotFound,
}
