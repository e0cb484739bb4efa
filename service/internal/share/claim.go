package share

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// ClaimLife is how long a claim protects a draft if the request that took it
// does not finish.
const ClaimLife = 2 * time.Minute

// Claim marks a draft as being issued, so that it cannot be changed meanwhile.
// Several requests may issue the same draft at once: they share the claim and
// get the same invoice. A claim expires, so an invoice is appended only if its
// own claim is still the current one: see issue.Claim.
type Claim struct {
	ID    uuid.UUID `json:"id"` // zero if no request may issue under it any more, or if an older version of the program set it
	By    string    `json:"by"`
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	Many  int       `json:"many"`
}

func (c *Claim) held(now time.Time) bool { return c != nil && now.Before(c.Until) }

func (c *Claim) refusal() error {
	return fault.New(fault.DraftIssuing, "The draft is being issued by %s. Try again in a moment.", c.By)
}

// claim claims a draft that may be issued. The draft then cannot be changed until
// the claim is released. A draft that is already issued is returned without a
// claim.
func (s *Sharer) claim(ctx context.Context, by org.Actor, id uuid.UUID) (Draft, error) {
	d, err := s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
		switch f.State() {
		case Issued:
			return errUnchanged
		case Shared:
			return fault.New(fault.DraftWaiting, "The draft waits for its recipient's approval. Wait for it, or withdraw the link.")
		case Declined:
			return fault.New(fault.DraftDeclined, "The recipient declined the draft. Change it and share it again, or withdraw the link to issue it without approval.")
		case Open, Approved:
		}
		now := s.now()
		taken := Claim{ID: s.NewID(), By: by.Name, Since: now, Until: now.Add(ClaimLife), Many: 1}
		if f.Claim.held(now) {
			taken.By, taken.Since, taken.Many = f.Claim.By, f.Claim.Since, f.Claim.Many+1
			if f.Claim.ID != uuid.Nil {
				taken.ID = f.Claim.ID
			}
		}
		f.Claim = &taken
		return nil
	})
	if errors.Is(err, errUnchanged) {
		return s.Keeper.Draft(ctx, by.Tenant, id)
	}
	return d, err
}

// release ends a claim after issuing was refused. It does nothing if the draft
// has a different claim by now. If the write fails, the claim expires.
func (s *Sharer) release(ctx context.Context, by org.Actor, id, claim uuid.UUID) {
	_, _ = s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
		if f.Claim == nil || f.Claim.ID != claim {
			return errUnchanged
		}
		left := *f.Claim
		left.Many--
		if f.Claim = &left; left.Many <= 0 {
			f.Claim = nil
		}
		return nil
	})
}

// errClaimExpired means that a claim expired without being released.
var errClaimExpired = errors.New("the claim expired without being released")

// change changes a draft that is not being issued. If a claim has expired, it
// first finds out whether the draft was issued.
func (s *Sharer) change(ctx context.Context, by org.Actor, id uuid.UUID, change func(*Folder) error) (Draft, error) {
	var asked time.Time
	for {
		d, err := s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
			switch {
			case f.Claim == nil:
			case f.Claim.held(s.now()):
				return f.Claim.refusal()
			case f.Claim.ID != uuid.Nil || !f.Claim.Until.Equal(asked):
				return errClaimExpired
			}
			f.Claim = nil
			return change(f)
		})
		if !errors.Is(err, errClaimExpired) {
			return d, err
		}
		if asked, err = s.resolveClaim(ctx, by, id); err != nil {
			return Draft{}, err
		}
	}
}

// resolveClaim finds out whether a draft with an expired claim was issued, and
// returns the end of the claim. The request that took the claim may still try
// to append an invoice, so resolveClaim removes the claim's ID before it asks the
// ledger; then the result cannot change. The claim itself remains, without an ID,
// so that another server asks again if this one crashes here.
func (s *Sharer) resolveClaim(ctx context.Context, by org.Actor, id uuid.UUID) (until time.Time, err error) {
	_, err = s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
		until = time.Time{}
		if f.Claim == nil || f.Claim.held(s.now()) {
			return errUnchanged
		}
		over := *f.Claim
		over.ID, until = uuid.Nil, over.Until
		f.Claim = &over
		return nil
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return until, err
	}
	issued, known, err := s.Issuer.Earlier(ctx, by.Tenant, issue.DraftKey(id))
	if err == nil && known {
		_, err = s.recordInvoice(ctx, by, id, issued.Invoice)
	}
	return until, err
}
