package issue

import (
	"context"
	"time"

	"khatm/invoice"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Preview computes an invoice as Create would issue it now, and returns the
// errors that Create would. It consumes nothing, and ignores the monthly
// allowance, the duplicate guard and whether issuing is stopped.
func (i *Issuer) Preview(ctx context.Context, by org.Actor, r Request) (ledger.Invoice, error) {
	_, shown, err := i.preview(ctx, by, r)
	return shown, err
}

func (i *Issuer) preview(ctx context.Context, by org.Actor, r Request) (*prepared, ledger.Invoice, error) {
	p, err := i.prepare(ctx, by, r)
	if err != nil {
		return nil, ledger.Invoice{}, err
	}
	now := i.Now()
	state, err := i.Keeper.Look(ctx, by.Tenant, wantsOf([]*member{{prepared: p}}, now))
	if err != nil {
		return nil, ledger.Invoice{}, err
	}
	if err := i.refresh(p, state, now); err != nil {
		return nil, ledger.Invoice{}, err
	}
	if err := p.available(state, now); err != nil {
		return nil, ledger.Invoice{}, err
	}
	shown, err := p.shownAt(state, now)
	return p, shown, err
}

func (p *prepared) shownAt(state *State, now time.Time) (ledger.Invoice, error) {
	at, err := issueTime(state.Devices[p.Device], now)
	if err != nil {
		return ledger.Invoice{}, err
	}
	_, _, number, err := state.next(p.kind(), at)
	if err != nil {
		return ledger.Invoice{}, err
	}
	id := invoice.Identity{Number: number}.At(at)
	return ledger.Invoice{
		Device: p.Device, Number: number, Kind: p.kind(), Transaction: p.transaction,
		IssueDate: id.IssueDate, IssueTime: id.IssueTime, IssuedAt: at, IdempotencyKey: p.IdempotencyKey,
		Payment: ledger.Pending, Record: p.record,
	}, nil
}
