package server

import (
	"context"
	"time"

	"khatm/service/internal/account"
)

// resetEvery is how often a server looks for requests that another one has stored.
const resetEvery = time.Second

// passwords is what the app needs to change passwords.
type passwords struct {
	*account.Accounts
	wake func() // of the loop that answers requests
}

// AskReset stores a request and wakes the loop that answers it.
func (p passwords) AskReset(ctx context.Context, r account.Reset) error {
	if err := p.Accounts.AskReset(ctx, r); err != nil {
		return err
	}
	p.wake()
	return nil
}
