package continuity

import (
	"fmt"

	"khatm/service/internal/org"
)

// recoveryOwner is what the head of a recovery is sealed for, so that it cannot
// be exchanged with a head that a server keeps.
const recoveryOwner = "recovery"

// SealHead seals the end of the audit trail at a recovery.
func SealHead(h org.TrailHead, seal func(purpose, owner string, plain []byte) ([]byte, error)) ([]byte, error) {
	return seal(org.TrailHeadPurpose, recoveryOwner, h.Bytes())
}

// RewrapHead moves a head that SealHead made to another master key.
func RewrapHead(sealed []byte, rewrap func(purpose, owner string, sealed []byte) ([]byte, bool, error)) ([]byte, bool, error) {
	return rewrap(org.TrailHeadPurpose, recoveryOwner, sealed)
}

// Head returns the head of the audit trail that the database must reach: the one
// that is kept outside it, or, if there was a recovery since, that of the
// recovery. The latter is sealed, so that nobody who can only write to the
// database can make one up.
func Head(kept org.TrailHead, s State, open func(purpose, owner string, sealed []byte) ([]byte, error)) (org.TrailHead, error) {
	if kept.Generation == s.Generation {
		return kept, nil
	}
	if kept.Generation > s.Generation {
		return kept, fmt.Errorf("%w: the database is of generation %d and the head of %d", org.ErrTrailBroken, s.Generation, kept.Generation)
	}
	plain, err := open(org.TrailHeadPurpose, recoveryOwner, s.TrailHead)
	if err != nil {
		return kept, fmt.Errorf("%w: the head of the last recovery cannot be opened: %w", org.ErrTrailBroken, err)
	}
	recovered, err := org.ParseTrailHead(plain)
	if err == nil && recovered.Generation != s.Generation {
		err = fmt.Errorf("it is of generation %d, not %d", recovered.Generation, s.Generation)
	}
	if err != nil {
		return kept, fmt.Errorf("%w: the head of the last recovery: %w", org.ErrTrailBroken, err)
	}
	return recovered, nil
}
