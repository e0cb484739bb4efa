package service

import (
	"bytes"
	"context"

	"khatm/service/internal/org"
)

// How many entries of the audit trail are linked in one transaction.
const trailChunk = 500

// sealTrail links the entries that were written since the last time and, if
// there were any, keeps the head of the trail outside the database, sealed: a
// trail that was cut short or written anew does not fit it.
func (s *Service) sealTrail(ctx context.Context) error {
	var head org.Link
	total := 0
	for {
		n, last, err := s.store.SealTrail(ctx, trailChunk)
		if err != nil {
			return err
		}
		head, total = last, total+n
		if n < trailChunk {
			break
		}
	}
	if total == 0 {
		return nil
	}
	sealed, err := s.vault.Seal(org.TrailHeadPurpose, org.TrailHeadOwner, head.Bytes())
	if err != nil {
		return err
	}
	return files{s.files}.Put(ctx, org.TrailHeadFile, bytes.NewReader(sealed), int64(len(sealed)))
}
