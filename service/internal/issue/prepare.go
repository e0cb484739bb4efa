package issue

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// prepared is a request with everything it refers to and, once computed, its
// document and record.
type prepared struct {
	Request
	by          org.Actor
	transaction invoice.Transaction

	known    bool // seller and device are kept values, which the append must compare
	seller   org.Organisation
	branch   *org.Branch
	device   *device.Device
	buyer    *trade.Client
	reason   *trade.Reason
	items    map[uuid.UUID]trade.Item
	earlier  map[uuid.UUID]Earlier
	document *invoice.Document
	record   ledger.Record

	buyerText string                    // search text of the buyer; see Words.Buyer
	refuses   func(ledger.Record) error // must accept the record before it is issued; nil in a preview
}

// kind returns the kind of the document.
func (p *prepared) kind() invoice.Kind { return invoice.Kind(p.Kind) }

// prepare does everything that needs no lock: it loads what the request refers
// to, checks it, computes the document and applies the rules. It consumes
// nothing; the append reads again whatever the document consumes.
func (i *Issuer) prepare(ctx context.Context, by org.Actor, r Request) (*prepared, error) {
	return i.prepareWith(ctx, &prepared{Request: r, by: by})
}

// prepareKnown is like prepare, but uses the kept organisation and device if there
// are any. It then returns errChanged instead of a refusal.
func (i *Issuer) prepareKnown(ctx context.Context, by org.Actor, r Request) (*prepared, error) {
	p := &prepared{Request: r, by: by}
	if found, known := i.sellers.get(by.Tenant, r.Device); known {
		p.known, p.seller, p.device = true, found.seller, &found.device
	}
	p, err := i.prepareWith(ctx, p)
	if err == nil && !p.known {
		i.sellers.put(by.Tenant, p.seller, *p.device)
	}
	return p, err
}

func (i *Issuer) prepareWith(ctx context.Context, p *prepared) (*prepared, error) {
	err := i.prepareOnce(ctx, p)
	switch {
	case err != nil && p.known:
		return nil, errChanged
	case err != nil:
		return nil, err
	}
	return p, nil
}

func (i *Issuer) prepareOnce(ctx context.Context, p *prepared) error {
	if err := i.find(ctx, p); err != nil {
		return err
	}
	now := i.Now()
	for _, check := range admission {
		if err := check(p, now); err != nil {
			return i.withReasons(ctx, p, err)
		}
	}
	return i.compute(p, now)
}

// compute computes the document, applies the rules and writes the record.
func (i *Issuer) compute(p *prepared, now time.Time) (err error) {
	facts := p.facts()
	if len(p.Prepaid) > 0 {
		whole := facts
		whole.ExpectedPayable = nil // it is the amount after the deduction
		document, err := invoice.Compute(whole)
		if err != nil {
			return p.explain(err)
		}
		if facts.Advances, err = p.advances(document.Breakdown); err != nil {
			return err
		}
	}
	if p.document, err = invoice.Compute(facts); err != nil {
		return p.explain(err)
	}
	p.roundQuantities()
	if err := p.judge(now); err != nil {
		return err
	}
	p.writeRecord(i.NewID)
	return nil
}

// find loads what the request refers to. Missing objects stay nil; the admission
// checks report them in a fixed order.
func (i *Issuer) find(ctx context.Context, p *prepared) (err error) {
	of := p.by.Tenant
	if !p.known {
		if p.seller, err = i.Keeper.Organisation(ctx, of); err != nil {
			return err
		}
		if p.device, err = found(i.Keeper.Device(ctx, of, p.Device)); err != nil {
			return err
		}
	}
	if p.device != nil && p.device.Branch != nil {
		if p.branch, err = found(i.Keeper.Branch(ctx, of, *p.device.Branch)); err != nil {
			return err
		}
	}
	if p.Buyer != uuid.Nil {
		if p.buyer, err = found(i.Keeper.Client(ctx, of, p.Buyer)); err != nil {
			return err
		}
	}
	if p.Reason != uuid.Nil {
		if p.reason, err = found(i.Keeper.Reason(ctx, of, p.Reason)); err != nil {
			return err
		}
	}
	if len(p.Lines) > 0 {
		if p.items, err = i.Keeper.ItemsByID(ctx, of, p.itemIDs()); err != nil {
			return err
		}
	}
	if refers := p.refersTo(); len(refers) > 0 {
		p.earlier, err = i.Keeper.Earlier(ctx, of, refers)
	}
	return err
}

// found returns a pointer to value. If err is a "not found" error, it returns
// nil and no error.
func found[T any](value T, err error) (*T, error) {
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil //nolint:nilnil // nil means not found
	}
	if err != nil {
		return nil, err
	}
	return &value, nil
}

func (p *prepared) itemIDs() []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(p.Lines))
	seen := map[uuid.UUID]bool{}
	for _, l := range p.Lines {
		if !seen[l.Item] {
			ids = append(ids, l.Item)
		}
		seen[l.Item] = true
	}
	return ids
}

// refersTo returns the ids of all earlier documents that the request refers to.
func (p *prepared) refersTo() []uuid.UUID {
	return append(append([]uuid.UUID(nil), p.Originals...), p.Prepaid...)
}
