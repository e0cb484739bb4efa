package issue

import (
	"crypto/sha256"
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

// guardOf returns the digest that the duplicate guard compares. It includes the
// idempotency key, so two equal sales with different keys are two invoices.
func (p *prepared) guardOf() Digest {
	return sha256.Sum256(append(p.Digest[:], p.IdempotencyKey...))
}

// repeated checks the idempotency key and the duplicate guard. It returns the
// invoice already issued for the same key and data, an error if the key was
// used with other data or the guard is active, or nil.
func (p *prepared) repeated(state *State, now time.Time) (*Issued, error) {
	if _, known := state.Keys[p.IdempotencyKey]; known && p.IdempotencyKey != "" {
		before := state.Keys[p.IdempotencyKey]
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
		seconds = min(seconds, int(GuardTime/time.Second))
		e := duplicate.refuse(seconds).With("location", Location(guard.Invoice))
		e.Again = time.Duration(seconds) * time.Second
		return nil, e
	}
	return nil, nil //nolint:nilnil // not a repeated request
}

// stillClaimed refuses a draft whose claim has expired: others may have
// changed, shared or deleted the draft since. A claim without an id is never
// valid.
func (p *prepared) stillClaimed(state *State) error {
	if p.Claim == (Claim{}) || p.Claim.ID != uuid.Nil && state.Claims[p.Claim.Draft] == p.Claim.ID {
		return nil
	}
	return fault.New(fault.DraftVersion, "The draft was changed while it was being issued. Check it and try again.")
}

// paidOnIssue reports whether the document is paid when it is issued. Only
// documents that are issued from drafts are.
func (p *prepared) paidOnIssue() bool {
	switch {
	case p.Claim == (Claim{}) || p.kind() == invoice.CreditNote:
		return false
	case p.kind() == invoice.AdvancePayment:
		return true
	case p.PaidOnIssue != nil:
		return *p.PaidOnIssue
	}
	return p.CashSale()
}

// Location returns the path of an invoice below the base URL.
func Location(id uuid.UUID) string { return "/api/invoices/" + id.String() + "/" }

// overAllowance refuses to issue beyond the monthly allowance plus grace.
func overAllowance(state *State, upgrade string) error {
	if state.Usage.InvoicesAllowed() {
		return nil
	}
	return fault.New(fault.MonthlyAllowance, "The monthly limit of your plan has been exceeded, including the grace of ten percent. Upgrade the plan, or wait for the next month.").
		With("current_usage", state.Usage.Invoices).
		With("limit", state.Usage.Plan.Invoices).
		With("plan_name", state.Usage.Plan.Name).
		With("upgrade_url", upgrade)
}

// available checks everything that others may have consumed since the request
// was prepared: stock, originals, advances and the device. Preview calls it too.
func (p *prepared) available(state *State, now time.Time) error {
	if err := p.stockLeft(state); err != nil {
		return err
	}
	if err := p.creditLeft(state); err != nil {
		return err
	}
	if err := p.deductionsLeft(state); err != nil {
		return err
	}
	chain, known := state.Devices[p.Device]
	if !known {
		return unknownDevice.refuse()
	}
	return cannotIssue(&chain.Device, now)
}

// cannotIssue returns an error if the device is retired, not active or its
// certificate has expired. It runs before the lock and again under it.
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

// takesStock reports whether the document reduces the stock of its items.
func (p *prepared) takesStock() bool {
	return p.kind() == invoice.TaxInvoice || p.kind() == invoice.DebitNote
}

func (p *prepared) stockLeft(state *State) error {
	if !p.takesStock() {
		return nil
	}
	wanted := p.stockOf()
	for n, l := range p.Lines { // in line order, so that the reported item is always the same
		stock, known := state.Stock[l.Item]
		if !known || !stock.Active {
			return p.refuseLine(inactiveItem, n, "item_id", p.items[l.Item].Name)
		}
		if want := wanted[l.Item]; stock.Left != nil && stock.Left.Less(want) {
			return p.refuseLine(shortStock, n, "quantity", stock.Name, stock.Left.String(), want.String())
		}
	}
	return nil
}

func (p *prepared) creditLeft(state *State) error {
	if p.kind() != invoice.CreditNote {
		return nil
	}
	if advance := state.Earlier[p.Originals[0]]; advance.Kind == invoice.AdvancePayment {
		return p.advanceCreditLeft(advance)
	}
	left := money.Decimal{}
	for _, id := range p.Originals {
		left = left.Add(state.Earlier[id].Left())
	}
	if credit := p.charged(); left.Less(credit) {
		return originalExceeded.refuse(credit.Fixed2(), left.Fixed2())
	}
	return nil
}

// charged returns the total of the document with VAT and rounding, before advances
// are deducted.
func (p *prepared) charged() money.Decimal { return p.document.WithVAT.Add(p.document.Rounding) }

// issueTime returns the issue time of the next document: now, but not before
// the device's last document unless the device was released. If the clock is
// behind by more than clockTolerance, or on an earlier day, it returns an
// error.
func issueTime(chain *Chain, now time.Time) (time.Time, error) {
	last := chain.LastIssuedAt
	if !now.Before(last) || chain.Released {
		return now, nil
	}
	local := func(t time.Time, form string) string { return t.In(invoice.Riyadh()).Format(form) }
	if last.Sub(now) > clockTolerance || local(last, time.DateOnly) != local(now, time.DateOnly) {
		return now, unwritten(fault.IssuingStopped, fmt.Sprintf("The clock is behind this device's last document, which is dated %s. Nothing was written. "+
			"To the operator: if the clock is right now, wait until then or run khatm clock release --device %s; if the clock of another server is ahead, run khatm doctor on each server.",
			local(last, "2006-01-02 15:04"), chain.ID))
	}
	return last, nil
}

// clockTolerance is how far back the clock may step before issuing stops.
const clockTolerance = 5 * time.Minute

// seriesOf maps each kind of document to its number series.
var seriesOf = map[invoice.Kind]string{
	codes.TaxInvoice: "INV", codes.CreditNote: "CRN", codes.DebitNote: "DBN", codes.AdvancePayment: "ADV",
}

// next returns the next number of a kind of document in the year of at. Numbers
// have no gaps and restart every year.
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
		return name, s, "", unwritten(fault.IssuingStopped, fmt.Sprintf("The clock shows %d, but the last number of the series %s belongs to %d. Nothing was written. "+
			"To the operator: if the clock is right now, run khatm clock release --device ID with any device of the organisation; if the clock of another server is ahead, run khatm doctor on each server.",
			year, name, s.Year))
	}
	s.Last++
	number = s.Prefix + "-" + strconv.Itoa(s.Year) + "-" + fmt.Sprintf("%06d", s.Last)
	return name, s, number, nil
}
