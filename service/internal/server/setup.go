package server

import (
	"context"

	"khatm/service/internal/account"
	"khatm/service/internal/org"
)

// setUps is what the app needs to set up the installation.
type setUps struct {
	*account.Accounts
	server *Server
}

// Empty reports whether the installation has no organisation.
func (s setUps) Empty(ctx context.Context) (bool, error) { return s.server.Empty(ctx) }

// NewSetUp creates the set-up link of an installation without an organisation and
// returns its token. The previous link stops working.
func (s *Server) NewSetUp(ctx context.Context, operator string) (token string, err error) {
	token, _, err = s.accounts.NewSetUp(ctx, org.Operator(org.Tenant{}, operator))
	return token, err
}
