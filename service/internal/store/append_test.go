package store_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/issue"
	"khatm/service/internal/store"
)

// Batches of several organisations that wait together are written in one
// transaction. One that cannot be written does not affect the others.
func TestAppendTogether(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		store.AppendOneByOne(s.Store)
		ours, theirs := s.seller(s.by), s.seller(s.other)
		first := ours.issue(asIs)
		for name, test := range map[string]struct {
			change func(*issue.Entry)
			fails  bool
		}{
			"both can be written":    {change: asIs},
			"one cannot be written":  {change: func(e *issue.Entry) { e.Invoice.Number = first.Number }, fails: true},
			"one is without its XML": {change: func(e *issue.Entry) { e.XML = nil }, fails: true},
		} {
			t.Run(name, func(t *testing.T) {
				no := errors.New("no")
				begun, release := make(chan struct{}), make(chan struct{})
				var all sync.WaitGroup
				all.Go(func() {
					if err := s.Append(s.ctx, s.by.Tenant, issue.Wants{At: s.config.Now()}, func(*issue.State) (*issue.Entries, error) {
						close(begun)
						<-release
						return nil, no
					}); !errors.Is(err, no) {
						t.Errorf("the batch that is not to be written: %v, want %v", err, no)
					}
				})
				<-begun
				var ourErr, theirErr error
				all.Go(func() { _, ourErr = ours.append(test.change) })
				all.Go(func() { _, theirErr = theirs.append(asIs, asIs) })
				for store.WaitingAppends(s.Store) < 2 {
					time.Sleep(time.Millisecond)
				}
				close(release)
				all.Wait()
				if (ourErr != nil) != test.fails || theirErr != nil {
					t.Errorf("errors %v and %v, want an error of the first: %t", ourErr, theirErr, test.fails)
				}
				s.tallied()
			})
		}
	})
}
