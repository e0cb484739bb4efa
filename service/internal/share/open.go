package share

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// Find returns the link of a valid token without loading the document. Rate
// limiting calls it first, so that a refused request costs little.
func (s *Sharer) Find(ctx context.Context, token string) (Link, error) { return s.link(ctx, token) }

// Open returns the document that a token leads to. It returns ErrGone for a
// token that is unknown, expired or revoked, and for an invoice that must not
// be shown.
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
		if d.Shown == nil { // the link was withdrawn meanwhile
			return View{}, ErrGone()
		}
		return View{Link: link, Draft: &d}, nil
	}
	i, err := s.Keeper.Invoice(ctx, link.Of, link.Invoice)
	if err != nil {
		return View{}, goneIf(err)
	}
	if !visible(i.Transaction.Simplified, i.Status) { // the invoice was rejected meanwhile
		return View{}, ErrGone()
	}
	return View{Link: link, Issued: &i}, nil
}

// link returns the link of a valid token, or ErrGone. It reads one row in every
// case.
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

// visible reports whether an invoice may be shown to holders of its link: a
// standard invoice once the authority has cleared it, a simplified one at once,
// and a rejected one never.
func visible(simplified bool, status ledger.Status) bool {
	if simplified {
		return status != ledger.NotReported && status != ledger.NotCleared
	}
	return status.Accepted()
}

// goneIf replaces a NotFound error with ErrGone.
func goneIf(err error) error {
	if fault.KindOf(err) == fault.NotFound {
		return ErrGone()
	}
	return err
}
