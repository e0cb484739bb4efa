package issue

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// draft is an invoice on its way: the request, what it refers to, and from some
// step on the computed document.
type draft struct {
	Request
	by          org.Actor
	transaction invoice.Transaction

	seller   org.Organisation
	branch   *org.Branch
	device   *device.Device
	buyer    *trade.Client
	reason   *trade.Reason
	items    map[uuid.UUID]trade.Item
	earlier  map[uuid.UUID]Earlier
	document *invoice.Document
	record   ledger.Record
}

// kind is the kind of the document.
func (d *draft) kind() invoice.Kind { return invoice.Kind(d.Kind) }

// prepare does everything that needs no lock: it finds what the request refers
// to, admits it, computes it and holds it against the rulebook. Nothing that it
// reads is consumed yet; what is, is read again in the append.
func (i *Issuer) prepare(ctx context.Context, by org.Actor, r Request) (*draft, error) {
	d := &draft{Request: r, by: by}
	if err := i.find(ctx, d); err != nil {
		return nil, err
	}
	for _, check := range admission {
		if err := check(d, i.Now()); err != nil {
			return nil, err
		}
	}
	facts := d.facts()
	document, err := invoice.Compute(facts)
	if err != nil {
		return nil, d.explain(err)
	}
	d.document = document
	if err := d.judge(i.Now()); err != nil {
		return nil, err
	}
	d.writeRecord(i.NewID)
	return d, nil
}

// find reads what the request refers to. What is not there stays nil: the
// admission says so, in its order.
func (i *Issuer) find(ctx context.Context, d *draft) (err error) {
	of := d.by.Tenant
	if d.seller, err = i.Keeper.Organisation(ctx, of); err != nil {
		return err
	}
	if d.device, err = found(i.Keeper.Device(ctx, of, d.Device)); err != nil {
		return err
	}
	if d.device != nil && d.device.Branch != nil {
		if d.branch, err = found(i.Keeper.Branch(ctx, of, *d.device.Branch)); err != nil {
			return err
		}
	}
	if d.Buyer != uuid.Nil {
		if d.buyer, err = found(i.Keeper.Client(ctx, of, d.Buyer)); err != nil {
			return err
		}
	}
	if d.Reason != uuid.Nil {
		if d.reason, err = found(i.Keeper.Reason(ctx, of, d.Reason)); err != nil {
			return err
		}
	}
	if len(d.Lines) > 0 {
		if d.items, err = i.Keeper.ItemsByID(ctx, of, d.itemIDs()); err != nil {
			return err
		}
	}
	if refers := d.refersTo(); len(refers) > 0 {
		d.earlier, err = i.Keeper.Earlier(ctx, of, refers)
	}
	return err
}

// found turns "not found" into nil.
func found[T any](value T, err error) (*T, error) {
	var e *fault.Error
	if errors.As(err, &e) && e.Kind == fault.NotFound {
		return nil, nil //nolint:nilnil // that there is none is the answer
	}
	if err != nil {
		return nil, err
	}
	return &value, nil
}

func (d *draft) itemIDs() []uuid.UUID {
	ids := make([]uuid.UUID, 0, len(d.Lines))
	seen := map[uuid.UUID]bool{}
	for _, l := range d.Lines {
		if !seen[l.Item] {
			ids = append(ids, l.Item)
		}
		seen[l.Item] = true
	}
	return ids
}

// refersTo is every earlier document that the request names.
func (d *draft) refersTo() []uuid.UUID {
	return append(append([]uuid.UUID(nil), d.Originals...), d.Prepaid...)
}
