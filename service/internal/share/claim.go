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

// ClaimLife is how long a draft stays as it is after somebody began to issue it
// and did not say how it ended.
const ClaimLife = 2 * time.Minute

// Claim says that a draft is being issued, and must stay as it is. Several may
// issue one at once: they share the claim and are given one invoice. It ends by
// itself, so that nothing is appended but under the very claim that holds the
// draft then: see issue.Claim.
type Claim struct {
	ID    uuid.UUID `json:"id"` // zero: nobody issues under it any more, or an older program does
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

// release ends a claim after a refusal, unless it has ended and the draft is
// somebody else's by now. If it cannot, the claim ends by itself.
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

// errLeft says that whoever claimed a draft did not say how it ended.
var errLeft = errors.New("a claim was left behind")

// change changes a draft that nobody is issuing. One whose issuing did not end is
// first asked what it became.
func (s *Sharer) change(ctx context.Context, by org.Actor, id uuid.UUID, change func(*Folder) error) (Draft, error) {
	var asked time.Time
	for {
		d, err := s.Keeper.ChangeDraft(ctx, by, id, func(f *Folder) error {
			switch {
			case f.Claim == nil:
			case f.Claim.held(s.now()):
				return f.Claim.refusal()
			case f.Claim.ID != uuid.Nil || !f.Claim.Until.Equal(asked):
				return errLeft
			}
			f.Claim = nil
			return change(f)
		})
		if !errors.Is(err, errLeft) {
			return d, err
		}
		if asked, err = s.settle(ctx, by, id); err != nil {
			return Draft{}, err
		}
	}
}

// settle finds out what became of a draft whose claim is over, and until when
// that was. Whoever has the claim may yet come to append: it is taken from them
// before the book is asked, so that the answer holds. It stays there without an
// id, so that whoever comes after a server that ends here asks again.
func (s *Sharer) settle(ctx context.Context, by org.Actor, id uuid.UUID) (until time.Time, err error) {
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
		_, err = s.became(ctx, by, id, issued.Invoice)
	}
	return until, err
}
