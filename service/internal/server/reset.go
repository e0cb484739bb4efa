package server

import (
	"context"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/org"
)

// resetEvery is how often a server looks for requests that another one has stored.
const resetEvery = time.Second

// passwords is what the app needs to change passwords.
type passwords struct {
	accounts *account.Accounts
	wake     func() // of the loop that answers requests
}

// AskReset stores a request and wakes the loop that answers it.
func (p passwords) AskReset(ctx context.Context, r account.Reset) error {
	if err := p.accounts.AskReset(ctx, r); err != nil {
		return err
	}
	p.wake()
	return nil
}

// UseReset sets a new password with the token of a link.
func (p passwords) UseReset(ctx context.Context, by org.Actor, token, password string) error {
	return p.accounts.UseReset(ctx, by, token, password)
}

// ReplacePassword ends all sessions of the person and opens a new one.
func (p passwords) ReplacePassword(ctx context.Context, by org.Actor, current, wanted, network string) (session string, err error) {
	return p.accounts.ReplacePassword(ctx, by, current, wanted, network)
}

// Rename changes the name of the person.
func (p passwords) Rename(ctx context.Context, by org.Actor, name string) (org.Person, error) {
	return p.accounts.Rename(ctx, by, name)
}
