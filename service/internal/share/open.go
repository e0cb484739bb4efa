package share

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// Open gives what a token leads to. A token that is unknown, over or revoked,
// and one of an invoice that must not be seen, opens nothing, in the same words.
func (s *Sharer) Open(ctx context.Context, token string) (View, error) {
	link, err := s.link(ctx, token)
	if err != nil {
		return View{}, err
	}
	if link.Draft != uuid.Nil {
		d, err := s.Keeper.Draft(ctx, link.Of, link.Draft)
		if err != nil {
			return View{}, goneIf(err)
		}
		return View{Link: link, Draft: &d}, nil
	}
	i, err := s.Keeper.Invoice(ctx, link.Of, link.Invoice)
	if err != nil {
		return View{}, goneIf(err)
	}
	if !visible(i) {
		return View{}, ErrGone()
	}
	return View{Link: link, Issued: &i}, nil
}

// link finds a link that leads somewhere. Whether there is none or it is over,
// one row is asked for and nothing more.
func (s *Sharer) link(ctx context.Context, token string) (Link, error) {
	link, err := s.Keeper.Link(ctx, digestOf(token))
	if err != nil {
		return Link{}, err
	}
	if link.Revoked || !s.Now().Before(link.Expires) {
		return Link{}, ErrGone()
	}
	return link, nil
}

// visible says whether whoever has the link may see an invoice: a standard one
// is none before the authority has cleared it, a simplified one is handed over
// at once, and a rejected one is never shown.
func visible(i ledger.Invoice) bool {
	if i.Transaction.Simplified {
		return i.Status != ledger.NotReported && i.Status != ledger.NotCleared
	}
	return i.Status.Accepted()
}

// goneIf tells that something is not there as every link that opens nothing.
func goneIf(err error) error {
	if fault.KindOf(err) == fault.NotFound {
		return ErrGone()
	}
	return err
}
