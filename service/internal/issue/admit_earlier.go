package issue

import (
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
)

func originalsStray(d *draft, _ time.Time) error {
	if d.kind().IsNote() {
		return nil
	}
	if len(d.Originals) > 0 {
		return strayOriginals.refuse()
	}
	for _, id := range d.lineReferences() {
		if id != uuid.Nil {
			return strayLineReference.refuse()
		}
	}
	return nil
}

func originalsMissing(d *draft, _ time.Time) error {
	if d.kind().IsNote() && len(d.Originals) == 0 {
		return noteWithoutOriginals.refuse()
	}
	return nil
}

// originalsWrong refuses originals that are not the organisation's, not
// accepted, or not of the note's sort.
func originalsWrong(d *draft, _ time.Time) error {
	seen := map[uuid.UUID]bool{}
	for _, id := range d.Originals {
		o, known := d.earlier[id]
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
		case o.Kind == invoice.AdvancePayment && len(d.Originals) > 1 && d.kind() == invoice.CreditNote:
			return advanceCreditedAlone.refuse()
		}
		if other := d.differs(o, true); other != "" {
			return originalDiffers.refuse(o.Number, other)
		}
		seen[id] = true
	}
	return nil
}

// differs names the field in which an earlier document is of another sort.
func (d *draft) differs(o Earlier, kind bool) string {
	switch {
	case kind && o.Simple != d.transaction.Simplified:
		return "transaction_code"
	case o.Buyer != d.Buyer:
		return "buyer"
	case o.Currency != d.Currency:
		return "currency"
	}
	return ""
}

// linesOfOthers refuses a line that is said to correct one which none of the
// originals has.
func linesOfOthers(d *draft, _ time.Time) error {
	for _, id := range d.lineReferences() {
		if id == uuid.Nil {
			continue
		}
		known := false
		for _, original := range d.Originals {
			known = known || d.earlier[original].Lines[id]
		}
		if !known {
			return unknownLine.refuse(id)
		}
	}
	return nil
}

func (d *draft) lineReferences() []uuid.UUID {
	ids := make([]uuid.UUID, 0, d.lineCount())
	for _, l := range d.FormLines {
		ids = append(ids, l.Original)
	}
	for _, l := range d.Lines {
		ids = append(ids, l.Original)
	}
	return ids
}

func advancesStray(d *draft, _ time.Time) error {
	switch {
	case d.AddPrepaid != (len(d.Prepaid) > 0):
		return prepaidDisagrees.refuse()
	case len(d.Prepaid) > 0 && d.kind() != invoice.TaxInvoice:
		return prepaidNotHere.refuse()
	}
	return nil
}

// advancesWrong refuses advances that cannot be deducted. Whether one is spent
// is asked again in the append.
func advancesWrong(d *draft, _ time.Time) error {
	seen := map[uuid.UUID]bool{}
	for _, id := range d.Prepaid {
		o, known := d.earlier[id]
		switch {
		case o.Damage != nil:
			return o.damaged()
		case !known || o.Kind != invoice.AdvancePayment || o.Imported:
			return unknownAdvance.refuse(id)
		case seen[id]:
			return advanceTwice.refuse(o.Number)
		case !o.accepted():
			return advanceNotAccepted.refuse(o.Number)
		case o.Deducted || len(o.remaining()) == 0:
			return advanceSpent.refuse(o.Number)
		}
		if other := d.differs(o, false); other != "" {
			return advanceDiffers.refuse(o.Number, other)
		}
		seen[id] = true
	}
	return nil
}
