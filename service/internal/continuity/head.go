package continuity

import (
	"fmt"

	"khatm/service/internal/org"
)

// recoveryOwner is the owner for which the head of a recovery is sealed, so
// that it cannot be swapped with a head kept by a server.
const recoveryOwner = "recovery"

// SealHead seals the end of the audit trail at a recovery.
func SealHead(h org.TrailHead, seal func(purpose, owner string, plain []byte) ([]byte, error)) ([]byte, error) {
	return seal(org.TrailHeadPurpose, recoveryOwner, h.Bytes())
}

// RewrapHead encrypts a head sealed by SealHead with another master key.
func RewrapHead(sealed []byte, rewrap func(purpose, owner string, sealed []byte) ([]byte, bool, error)) ([]byte, bool, error) {
	return rewrap(org.TrailHeadPurpose, recoveryOwner, sealed)
}

// Head returns the head of the audit trail that the database must contain:
// kept, or, if there was a recovery since, the head of the recovery. The latter
// is stored in the database and sealed, so that write access to the database is
// not enough to forge it.
func Head(kept org.TrailHead, s State, open func(purpose, owner string, sealed []byte) ([]byte, error)) (org.TrailHead, error) {
	if kept.Generation == s.Generation {
		return kept, nil
	}
	if kept.Generation > s.Generation {
		return kept, fmt.Errorf("%w: the database has generation %d, the head of the trail has generation %d", org.ErrTrailBroken, s.Generation, kept.Generation)
	}
	plain, err := open(org.TrailHeadPurpose, recoveryOwner, s.TrailHead)
	if err != nil {
		return kept, fmt.Errorf("%w: open the head of the last recovery: %w", org.ErrTrailBroken, err)
	}
	recovered, err := org.ParseTrailHead(plain)
	if err == nil && recovered.Generation != s.Generation {
		err = fmt.Errorf("generation %d, want %d", recovered.Generation, s.Generation)
	}
	if err != nil {
		return kept, fmt.Errorf("%w: the head of the last recovery: %w", org.ErrTrailBroken, err)
	}
	return recovered, nil
}
