package server

import (
	"context"
	"errors"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
)

// mostResets is the number of requests for new passwords that can wait.
const mostResets = 200

// resets sends the links for new passwords in the background. So the response to a
// request does not depend on whether the account exists, not even in time. Requests
// that wait when the process ends are lost.
type resets struct {
	accounts *account.Accounts
	waiting  chan account.Reset
	wake     func()
}

func newResets(accounts *account.Accounts) *resets {
	return &resets{accounts: accounts, waiting: make(chan account.Reset, mostResets), wake: func() {}}
}

// AskReset queues a request. It returns a ServerBusy fault if too many wait.
func (r *resets) AskReset(one account.Reset) error {
	select {
	case r.waiting <- one:
		r.wake()
		return nil
	default:
		return fault.New(fault.ServerBusy, "The server is busy. Try again in a moment.")
	}
}

// send processes the requests that wait.
func (r *resets) send(ctx context.Context) error {
	var all error
	for ctx.Err() == nil {
		select {
		case one := <-r.waiting:
			all = errors.Join(all, r.accounts.SendReset(ctx, one))
		default:
			return all
		}
	}
	return all
}

// passwords is what the app needs to change passwords.
type passwords struct {
	*account.Accounts
	*resets
}
