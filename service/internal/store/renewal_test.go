package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/store/storetest"
)

// An Append that waits for a device whose certificate is being renewed gets the
// new certificate with the new key, never a combination of old and new.
func TestAppendBesideARenewal(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	seller := s.seller(s.by)
	s.execute(`INSERT INTO secret (org_id, purpose, owner, sealed) VALUES ($1, $2, $3, $4)`, s.by.Tenant.ID(), issue.DeviceKey, seller.device.String(), sealedSample(1))

	renewal, err := s.raw.BeginTx(context.Background(), nil)
	ok(t, err)
	defer func() { _ = renewal.Rollback() }()
	for _, change := range []struct {
		query string
		args  []any
	}{
		{`UPDATE device SET token = 'renewed' WHERE id = $1`, []any{seller.device}},
		{`UPDATE secret SET sealed = $1 WHERE owner = $2`, []any{sealedSample(2), seller.device.String()}},
	} {
		_, err := renewal.Exec(change.query, change.args...)
		ok(t, err)
	}
	seen := make(chan *issue.Chain, 1)
	failed := make(chan error, 1)
	go func() {
		wants := issue.Wants{At: s.config.Now(), Devices: []uuid.UUID{seller.device}}
		failed <- s.Append(s.ctx, s.by.Tenant, wants, func(d *issue.State) (*issue.Entries, error) {
			seen <- d.Devices[seller.device]
			return &issue.Entries{}, nil
		})
	}()
	for end := time.Now().Add(10 * time.Second); s.count(`SELECT count(*) FROM pg_locks WHERE NOT granted`) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("Append does not wait for the renewal, want it to wait")
		}
	}
	ok(t, renewal.Commit())
	ok(t, <-failed)
	chain := <-seen
	if chain.Token != "renewed" || string(chain.Key) != string(sealedSample(2)) {
		t.Errorf("Append got certificate %q, with the old key: %v; want \"renewed\" with the new key", chain.Token, string(chain.Key) == string(sealedSample(1)))
	}
}
