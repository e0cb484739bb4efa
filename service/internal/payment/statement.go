package payment

import (
	"cmp"
	"maps"
	"slices"

	"github.com/google/uuid"

	"khatm/money"
)

// Entry is the kind of an event in a statement.
type Entry string

// Kinds of events.
const (
	Charged        Entry = "invoice"
	ChargedMore    Entry = "debit_note"
	ChargedBefore  Entry = "advance_payment"
	Credited       Entry = "credit_note"
	Received       Entry = "payment"
	ReceiptUndone  Entry = "payment_reversal"
	PaidBack       Entry = "refund"
	PaidBackUndone Entry = "refund_reversal"
)

// Event changes what a client owes. A rejected document is no event; neither is a
// refund that the client keeps as credit, because it pays nothing out.
type Event struct {
	ID       uuid.UUID // of the document, receipt or refund, also for its reversal
	Entry    Entry
	Number   string
	Currency string
	Date     string // such as 2026-11-17
	Place    int64  // order of the events of a date
	Due      string // date, for an invoice
	Amount   money.Decimal
}

// signs say whether an event increases or reduces what the client owes.
var signs = map[Entry]bool{Charged: true, ChargedMore: true, ChargedBefore: true, ReceiptUndone: true, PaidBack: true}

// Line is an event with the balance after it. Either Debit or Credit is 0.
type Line struct {
	Event
	Debit   money.Decimal
	Credit  money.Decimal
	Balance money.Decimal
}

// Statement is the account of a client in one currency. Closing is what the
// client owes at the end, negative if the organisation owes the client.
type Statement struct {
	Currency string
	Opening  money.Decimal
	Lines    []Line
	Closing  money.Decimal
}

// MaxLines is the maximum number of lines of a statement.
const MaxLines = 10_000

// Period selects the lines of a statement. Zero values select all.
type Period struct {
	From, To string // dates, inclusive
	Currency string
}

// Statements returns the statements of a client for the events from one date to
// another, inclusive, one for each currency. Earlier events are in the opening
// balance. An empty date is no limit.
func Statements(events []Event, from, to string) []Statement {
	all := map[string]*Statement{}
	for _, e := range slices.SortedStableFunc(slices.Values(events), inOrder) {
		if to != "" && e.Date > to {
			continue
		}
		s := all[e.Currency]
		if s == nil {
			s = &Statement{Currency: e.Currency}
			all[e.Currency] = s
		}
		s.add(e, e.Date >= from)
	}
	list := make([]Statement, 0, len(all))
	for _, currency := range slices.Sorted(maps.Keys(all)) {
		list = append(list, *all[currency])
	}
	return list
}

func inOrder(a, b Event) int {
	return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Place, b.Place))
}

func (s *Statement) add(e Event, listed bool) {
	line := Line{Event: e, Credit: e.Amount}
	if signs[e.Entry] {
		line.Debit, line.Credit = line.Credit, line.Debit
	}
	s.Closing = s.Closing.Add(line.Debit).Sub(line.Credit)
	line.Balance = s.Closing
	if listed {
		s.Lines = append(s.Lines, line)
	} else {
		s.Opening = s.Closing
	}
}
