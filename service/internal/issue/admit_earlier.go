package issue

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
)

func originalsStray(p *prepared, _ time.Time) error {
	if p.kind().IsNote() {
		return nil
	}
	if len(p.Originals) > 0 {
		return strayOriginals.refuse()
	}
	for n, id := range p.lineReferences() {
		if id != uuid.Nil {
			return p.refuseLine(strayLineReference, n, "invoice_line_id")
		}
	}
	return nil
}

func originalsMissing(p *prepared, _ time.Time) error {
	if p.kind().IsNote() && len(p.Originals) == 0 {
		return noteWithoutOriginals.refuse()
	}
	return nil
}

// originalsWrong refuses originals that are missing, damaged, repeated, not
// accepted by the authority, or that the note cannot correct.
func originalsWrong(p *prepared, _ time.Time) error {
	seen := map[uuid.UUID]bool{}
	for _, id := range p.Originals {
		o, known := p.earlier[id]
		switch {
		case !known:
			return unknownOriginal.refuse(id)
		case o.Damage != nil:
			return o.damaged()
		case seen[id]:
			return originalTwice.refuse(o.Number)
		case !o.accepted():
			return originalNotAccepted.refuse(o.Number)
		case o.Kind == invoice.CreditNote:
			return originalKind.refuse(o.Number)
		case o.Kind == invoice.AdvancePayment && len(p.Originals) > 1 && p.kind() == invoice.CreditNote:
			return advanceCreditedAlone.refuse()
		}
		if other := p.differs(o, true); other != "" {
			return originalDiffers.refuse(o.Number, other)
		}
		seen[id] = true
	}
	return nil
}

// differs returns the name of the first field in which o does not match the
// request, or "". The transaction code is compared only if kind is set.
func (p *prepared) differs(o Earlier, kind bool) string {
	switch {
	case kind && o.Simple != p.transaction.Simplified:
		return "transaction_code"
	case o.Buyer != p.Buyer:
		return "buyer"
	case o.Currency != p.Currency:
		return "currency"
	}
	return ""
}

// linesOfOthers refuses a line that references a line of a document other than
// the originals.
func linesOfOthers(p *prepared, _ time.Time) error {
	for n, id := range p.lineReferences() {
		if id == uuid.Nil {
			continue
		}
		known := false
		for _, original := range p.Originals {
			known = known || p.earlier[original].Lines[id]
		}
		if !known {
			return p.refuseLine(unknownLine, n, "invoice_line_id", id)
		}
	}
	return nil
}

func (p *prepared) lineReferences() []uuid.UUID {
	ids := make([]uuid.UUID, 0, p.lineCount())
	for _, l := range p.FormLines {
		ids = append(ids, l.Original)
	}
	for _, l := range p.Lines {
		ids = append(ids, l.Original)
	}
	return ids
}

func advancesStray(p *prepared, _ time.Time) error {
	switch {
	case p.AddPrepaid != (len(p.Prepaid) > 0):
		return prepaidDisagrees.refuse()
	case len(p.Prepaid) > 0 && p.kind() != invoice.TaxInvoice:
		return prepaidNotHere.refuse()
	}
	return nil
}

// advancesWrong refuses advances that cannot be deducted. It is called again
// under the lock if what is left of an advance has changed.
func advancesWrong(p *prepared, _ time.Time) error {
	seen := map[uuid.UUID]bool{}
	for _, id := range p.Prepaid {
		o, known := p.earlier[id]
		switch {
		case o.Damage != nil:
			return o.damaged()
		case !known || o.Kind != invoice.AdvancePayment || o.Imported:
			return unknownAdvance.refuse(id)
		case seen[id]:
			return advanceTwice.refuse(o.Number)
		case !o.accepted():
			return advanceNotAccepted.refuse(o.Number)
		case len(o.remaining()) == 0:
			return advanceSpent.refuse(o.Number)
		}
		if other := p.differs(o, false); other != "" {
			return advanceDiffers.refuse(o.Number, other)
		}
		seen[id] = true
	}
	return nil
}

// amountsWrong refuses prepaid_amounts that do not agree with prepaid_invoices.
// The amounts themselves are checked when they are deducted.
func amountsWrong(p *prepared, _ time.Time) error {
	type row struct {
		advance uuid.UUID
		rate    rate
	}
	seen, entered := map[row]bool{}, map[uuid.UUID]bool{}
	for n, a := range p.PrepaidAmounts {
		one := row{a.Advance, rate{a.Category, a.Rate.String()}}
		switch {
		case !slices.Contains(p.Prepaid, a.Advance):
			return amountField(n, "prepaid_invoice", amountNotListed.refuse(n, a.Advance))
		case seen[one]:
			return amountField(n, "prepaid_invoice", amountTwice.refuse(n, p.earlier[a.Advance].Number, a.Category, a.Rate.String()))
		}
		seen[one], entered[a.Advance] = true, true
	}
	for _, id := range p.Prepaid {
		if len(p.PrepaidAmounts) > 0 && !entered[id] {
			return amountMissing.refuse(p.earlier[id].Number).With("path", Root+".prepaid_amounts")
		}
	}
	return nil
}
