package service

import (
	"strings"

	"khatm/service/internal/account"
	"khatm/service/internal/app"
	"khatm/service/internal/docs"
)

// buildApp puts the signed-in surface into the frame.
func (s *Service) buildApp(accounts *account.Accounts, page *docs.Page) error {
	surface := app.New(app.Config{Accounts: accounts, Secure: strings.HasPrefix(s.url(), "https://")})
	s.frame.Surface(app.Base, surface.Rows())
	page.Open(s.frame.Open, app.Base+"/docs")
	return surface.Publish(s.frame)
}
