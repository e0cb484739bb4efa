package issue

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
)

// guardOf is what the duplicate guard compares: the data, and the idempotency
// key, so that two equal sales with two keys are two invoices.
func (p *prepared) guardOf() Digest {
	return sha256.Sum256(append(p.Digest[:], p.IdempotencyKey...))
}

// repeated says whether this very request was made before: it is answered
// again, or refused.
func (p *prepared) repeated(state *State, now time.Time) (*Issued, error) {
	if before, known := state.Keys[p.IdempotencyKey]; known && p.IdempotencyKey != "" {
		if before.Invoice.Damage != nil {
			return nil, before.Invoice.Damage.Fault()
		}
		if before.Digest != p.Digest {
			return nil, keyReused.refuse()
		}
		return &before, nil
	}
	guard, known := state.Guards[p.guardOf()]
	if left := guard.Until.Sub(now); known && left > 0 {
		seconds := int(math.Ceil(left.Seconds()))
		return nil, duplicate.refuse(min(seconds, int(GuardTime/time.Second))).With("location", Location(guard.Invoice))
	}
	return nil, nil //nolint:nilnil // it was not
}

// stillClaimed refuses a draft that is not held any more by whoever issues it: a
// claim ends by itself, and then others may change the draft, share it or throw
// it away. A claim without an id is nobody's.
func (p *prepared) stillClaimed(state *State) error {
	if p.Claim == (Claim{}) || p.Claim.ID != uuid.Nil && state.Claims[p.Claim.Draft] == p.Claim.ID {
		return nil
	}
	return fault.New(fault.Conflict, "The draft was changed while it was being issued. Look at it again.")
}

// Location is the path of an invoice below the base URL.
func Location(id uuid.UUID) string { return "/api/invoices/" + id.String() + "/" }

// overAllowance refuses beyond the month's allowance and its grace.
func overAllowance(state *State, upgrade string) error {
	if state.Usage.InvoicesAllowed() {
		return nil
	}
	return fault.New(fault.Forbidden, "The monthly limit of your plan has been exceeded, including the grace of ten percent. Upgrade the plan, or wait for the next month.").
		With("current_usage", state.Usage.Invoices).
		With("limit", state.Usage.Plan.Invoices).
		With("plan_name", state.Usage.Plan.Name).
		With("upgrade_url", upgrade)
}

// available refuses what can no longer be had: stock, what is left of
// originals, advances, the device itself. Preview asks it too.
func (p *prepared) available(state *State, now time.Time) error {
	if err := p.stockLeft(state); err != nil {
		return err
	}
	if err := p.creditLeft(state); err != nil {
		return err
	}
	if err := p.advancesLeft(state); err != nil {
		return err
	}
	chain, known := state.Devices[p.Device]
	if !known {
		return unknownDevice.refuse()
	}
	return cannotIssue(&chain.Device, now)
}

// cannotIssue refuses a device whose state or certificate is not right. It is
// asked before the lock and again under it.
func cannotIssue(d *device.Device, now time.Time) error {
	switch {
	case d.Retired:
		return deviceRetired.refuse()
	case !d.CanIssue():
		return deviceCannotIssue.refuse(d.Status)
	case d.Production == nil || d.Production.Expiry(now) == device.Expired:
		return deviceExpired.refuse()
	}
	return nil
}

// takesStock says whether the document takes items from the stock.
func (p *prepared) takesStock() bool {
	return p.kind() == invoice.TaxInvoice || p.kind() == invoice.DebitNote
}

func (p *prepared) stockLeft(state *State) error {
	if !p.takesStock() {
		return nil
	}
	wanted := p.stockOf()
	for _, l := range p.Lines { // in the order of the lines, so that the answer is the same each time
		stock, known := state.Stock[l.Item]
		if !known || !stock.Active {
			return inactiveItem.refuse(p.items[l.Item].Name)
		}
		if want := wanted[l.Item]; stock.Left != nil && stock.Left.Less(want) {
			return shortStock.refuse(stock.Name, stock.Left.String(), want.String())
		}
	}
	return nil
}

func (p *prepared) creditLeft(state *State) error {
	if p.kind() != invoice.CreditNote {
		return nil
	}
	left := money.Decimal{}
	for _, id := range p.Originals {
		left = left.Add(state.Earlier[id].Left())
	}
	if left.Less(p.document.WithVAT) {
		return originalExceeded.refuse(p.document.WithVAT.Fixed2(), left.Fixed2())
	}
	if advance := state.Earlier[p.Originals[0]]; advance.Kind == invoice.AdvancePayment {
		return p.advanceCreditLeft(advance)
	}
	return nil
}

// advanceCreditLeft refuses to credit what an advance does not have: what can be
// deducted of it later is known by category.
func (p *prepared) advanceCreditLeft(advance Earlier) error {
	for _, s := range p.document.Breakdown {
		left := money.Decimal{}
		for _, r := range advance.remaining() {
			if r.Category == s.Category && r.Rate.Equal(s.Rate) && r.ReasonCode == s.ReasonCode && r.ReasonText == s.ReasonText {
				left = r.Taxable
			}
		}
		if left.Less(s.Taxable) {
			return advanceExceeded.refuse(s.Taxable.Fixed2(), s.Category, s.Rate.String(), advance.Number)
		}
	}
	return nil
}

// errStale says that an advance was credited since the document was computed.
var errStale = errors.New("an advance has changed")

func (p *prepared) advancesLeft(state *State) error {
	for _, id := range p.Prepaid {
		now := state.Earlier[id]
		if now.Deducted {
			return advanceSpent.refuse(now.Number)
		}
		if !now.Credited.Equal(p.earlier[id].Credited) {
			return errStale
		}
	}
	return nil
}

// issueTime is the time the document gets: the clock's, and never before the
// device's last, unless that was released. A clock that went back far, or over
// midnight, issues nothing.
func issueTime(chain *Chain, now time.Time) (time.Time, error) {
	last := chain.LastIssuedAt
	if !now.Before(last) || chain.Released {
		return now, nil
	}
	local := func(t time.Time, form string) string { return t.In(invoice.Riyadh()).Format(form) }
	if last.Sub(now) > clockTolerance || local(last, time.DateOnly) != local(now, time.DateOnly) {
		return now, unwritten(fmt.Sprintf("The clock is behind this device's last document, which is dated %s. Nothing was written. "+
			"To the operator: if the clock is right now, wait until then or run khatm clock release --device %s; or the clock of another server is ahead: run khatm doctor on each.",
			local(last, "2006-01-02 15:04"), chain.ID))
	}
	return last, nil
}

// clockTolerance is how far the clock may step back.
const clockTolerance = 5 * time.Minute

// seriesOf names the series of a kind of document.
var seriesOf = map[invoice.Kind]string{
	codes.TaxInvoice: "INV", codes.CreditNote: "CRN", codes.DebitNote: "DBN", codes.AdvancePayment: "ADV",
}

// next gives the number after the last, in the year of an instant. Numbers have
// no gaps and begin anew each year.
func (state *State) next(kind invoice.Kind, at time.Time) (name string, s Series, number string, err error) {
	name = seriesOf[kind]
	s, begun := state.Series[name]
	if !begun {
		s = Series{Prefix: name, First: 1}
	}
	year := at.In(invoice.Riyadh()).Year()
	switch {
	case s.Year == 0:
		s.Year, s.Last = year, s.First-1
	case year > s.Year:
		s.Year, s.Last = year, s.Ahead[year]
	case year < s.Year:
		return name, s, "", unwritten(fmt.Sprintf("The clock shows %d, and the last number of the series %s is of %d. Nothing was written. "+
			"To the operator: if the clock is right now, run khatm clock release --device ID with any device of the organisation; or the clock of another server is ahead: run khatm doctor on each.",
			year, name, s.Year))
	}
	s.Last++
	number = s.Prefix + "-" + strconv.Itoa(s.Year) + "-" + fmt.Sprintf("%06d", s.Last)
	return name, s, number, nil
}
