package invoice

import (
	"fmt"

	"khatm/codes"
)

// Kind is the type code of a document (UNTDID 1001).
type Kind int

// The document types.
const (
	TaxInvoice     Kind = codes.TaxInvoice
	CreditNote     Kind = codes.CreditNote
	DebitNote      Kind = codes.DebitNote
	AdvancePayment Kind = codes.AdvancePayment
)

// IsNote reports whether the document is a credit or debit note.
func (k Kind) IsNote() bool { return k == CreditNote || k == DebitNote }

func (k Kind) known() bool {
	return k == TaxInvoice || k == AdvancePayment || k.IsNote()
}

// Transaction holds the flags of the seven-character transaction code.
type Transaction struct {
	Simplified bool // false means standard: the buyer is a business
	ThirdParty bool
	Nominal    bool
	Export     bool
	Summary    bool
	SelfBilled bool
}

// ParseTransaction parses a transaction code such as 0100000 (standard),
// 0200000 (simplified) or 0100100 (standard, export).
func ParseTransaction(code string) (Transaction, error) {
	var t Transaction
	if len(code) != 7 || code[0] != '0' || code[1] != '1' && code[1] != '2' {
		return t, fmt.Errorf("must be seven characters that begin with 01 or 02, such as 0100000")
	}
	t.Simplified = code[1] == '2'
	for i, flag := range t.flags() {
		switch code[2+i] {
		case '0':
		case '1':
			*flag = true
		default:
			return Transaction{}, fmt.Errorf("must have only 0 and 1 after the first two characters")
		}
	}
	return t, nil
}

// String returns the transaction code.
func (t Transaction) String() string {
	code := []byte("0100000")
	if t.Simplified {
		code[1] = '2'
	}
	for i, flag := range t.flags() {
		if *flag {
			code[2+i] = '1'
		}
	}
	return string(code)
}

// flags returns the flags in the order of the code.
func (t *Transaction) flags() [5]*bool {
	return [5]*bool{&t.ThirdParty, &t.Nominal, &t.Export, &t.Summary, &t.SelfBilled}
}
