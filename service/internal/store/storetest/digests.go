package storetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"khatm/service/internal/store"
)

// Digests returns, by document id, a digest of the data that must never change:
// identity, position in the chain, contents and the authority's verdict.
func Digests(ctx context.Context, s *store.Store) (map[string]string, error) {
	found := map[string]string{}
	err := s.Snapshot(ctx, func(kept *store.Snapshot) error {
		devices, err := kept.AllDevices(ctx)
		if err != nil {
			return err
		}
		for _, d := range devices {
			err := kept.Documents(ctx, d.Organisation, d.ID, func(k store.KeptDocument) error {
				sum := sha256.New()
				fmt.Fprintf(sum, "%s %d %s %d %s %s %s %s %s %d %s %q %q\n", k.ID, k.Counter, k.Number, k.TypeCode, k.Transaction,
					k.Hash, k.PreviousHash, k.IssueDate, k.IssueTime, k.CreatedAt.UnixMilli(), k.IdempotencyKey, k.XML, k.QR)
				if v := k.Verdict; v != nil {
					fmt.Fprintf(sum, "%s %d %q %s\n", v.Status, v.Code, v.Stamped, v.Flag)
				}
				found[k.ID.String()] = hex.EncodeToString(sum.Sum(nil))
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}
