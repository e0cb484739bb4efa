package share

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// Find gives the link of a token that opens something, and nothing of what it
// opens: whoever counts calls asks for it first, and a call beyond the allowance
// costs next to nothing.
func (s *Sharer) Find(ctx context.Context, token string) (Link, error) { return s.link(ctx, token) }

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
		if d.Shown == nil { // the link was withdrawn in between
			return View{}, ErrGone()
		}
		return View{Link: link, Draft: &d}, nil
	}
	i, err := s.Keeper.Invoice(ctx, link.Of, link.Invoice)
	if err != nil {
		return View{}, goneIf(err)
	}
	if !visible(i.Transaction.Simplified, i.Status) { // it was refused in between
		return View{}, ErrGone()
	}
	return View{Link: link, Issued: &i}, nil
}

// link finds a link that opens something. Whether there is none, it is over or
// its invoice must not be seen, one row is asked for and nothing more.
func (s *Sharer) link(ctx context.Context, token string) (Link, error) {
	link, err := s.Keeper.Link(ctx, digestOf(token))
	if err != nil {
		return Link{}, err
	}
	hidden := link.Invoice != uuid.Nil && !visible(link.Simplified, link.Status)
	if link.Revoked || hidden || !s.Now().Before(link.Expires) {
		return Link{}, ErrGone()
	}
	return link, nil
}

// visible says whether whoever has the link may see an invoice: a standard one
// is none before the authority has cleared it, a simplified one is handed over
// at once, and a rejected one is never shown.
func visible(simplified bool, status ledger.Status) bool {
	if simplified {
		return status != ledger.NotReported && status != ledger.NotCleared
	}
	return status.Accepted()
}

// goneIf tells that something is not there as every link that opens nothing.
func goneIf(err error) error {
	if fault.KindOf(err) == fault.NotFound {
		return ErrGone()
	}
	return err
}
