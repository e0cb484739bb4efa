package share

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// ClaimLife is how long a draft stays as it is after somebody began to issue it
// and did not say how it ended.
const ClaimLife = 2 * time.Minute

// Claim says that a draft is being issued, and must stay as it is. Several may
// issue one at once: they are given one invoice.
type Claim struct {
	By    string    `json:"by"`
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	Many  int       `json:"many"`
}

func (c *Claim) held(now time.Time) bool { return c != nil && now.Before(c.Until) }

func (c *Claim) refusal() error {
	return fault.New(fault.Conflict, "The draft is being issued by %s. Look at it again in a moment.", c.By)
}

// claim takes a draft that may be issued, as it then stays until it is released.
// One that was issued already is given without.
func (s *Sharer) claim(ctx context.Context, by org.Actor, id uuid.UUID) (Draft, error) {
	d, err := s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
		switch f.State() {
		case Issued:
			return errUnchanged
		case Shared:
			return fault.New(fault.Conflict, "The draft waits for its recipient's approval. Wait for it, or withdraw the link.")
		case Open, Approved:
		}
		now := s.now()
		taken := Claim{By: by.Name, Since: now, Until: now.Add(ClaimLife), Many: 1}
		if f.Claim.held(now) {
			taken.By, taken.Since, taken.Many = f.Claim.By, f.Claim.Since, f.Claim.Many+1
		}
		f.Claim = &taken
		return nil
	})
	if errors.Is(err, errUnchanged) {
		return s.Keeper.Draft(ctx, by.Tenant, id)
	}
	return d, err
}

// release ends a claim after a refusal. If it cannot, the claim ends by itself.
func (s *Sharer) release(ctx context.Context, by org.Actor, id uuid.UUID) {
	_, _ = s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
		if f.Claim == nil {
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

// errLeft says that whoever claimed a draft did not say how it ended.
var errLeft = errors.New("a claim was left behind")

// change changes a draft that nobody is issuing. One whose issuing did not end is
// first asked what it became.
func (s *Sharer) change(ctx context.Context, by org.Actor, id uuid.UUID, change func(*Folder) error) (Draft, error) {
	var left, asked time.Time
	for {
		d, err := s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
			switch {
			case f.Claim == nil:
			case f.Claim.held(s.now()):
				return f.Claim.refusal()
			case !f.Claim.Until.Equal(asked):
				left = f.Claim.Until
				return errLeft
			}
			f.Claim = nil
			return change(f)
		})
		if !errors.Is(err, errLeft) {
			return d, err
		}
		issued, known, err := s.issuedBefore(ctx, by.Tenant, id)
		if err != nil {
			return Draft{}, err
		}
		if known {
			if err := s.became(ctx, by, id, issued.Invoice); err != nil {
				return Draft{}, err
			}
		}
		asked = left
	}
}
