package server

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/app"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// setUps is what the app needs to set up the installation.
type setUps struct {
	accounts *account.Accounts
	server   *Server
}

// Empty reports whether the installation has no organisation.
func (s setUps) Empty(ctx context.Context) (bool, error) { return s.server.Empty(ctx) }

// UseSetUp uses a set-up link, and starts sending if an environment was chosen.
func (s setUps) UseSetUp(ctx context.Context, by org.Actor, u account.SetUp) (session string, err error) {
	session, err = s.accounts.UseSetUp(ctx, by, u)
	if err == nil && u.Environment != "" {
		s.server.chosen(u.Environment)
	}
	return session, err
}

// environments lets an Admin choose the environment of the authority.
type environments struct{ *Server }

// Choose assigns the database to an environment for ever. All organisations of an
// installation have the same one, so the Admin of one of several cannot choose it.
func (e environments) Choose(ctx context.Context, by org.Actor, wanted device.Environment) error {
	if e.Environment() == "" {
		first, err := e.store.Organisations(ctx, uuid.Nil, 2)
		if err != nil {
			return err
		}
		if len(first) > 1 {
			return fault.New(fault.PermissionDenied, "Several organisations use this installation. Only its operator can choose the environment.").
				Arabic("تستخدم هذا التثبيت منشآت عدة، فلا يختار بيئة الهيئة إلا مشغّل الخدمة.").Advise("Ask the operator to choose the environment.", "اطلب من مشغّل الخدمة اختيار البيئة.")
		}
	}
	return e.Server.Choose(ctx, by, wanted)
}

// NewSetUp creates the set-up link of an installation without an organisation and
// returns its token. The previous link stops working.
func (s *Server) NewSetUp(ctx context.Context, operator string) (token string, err error) {
	token, _, err = s.accounts.NewSetUp(ctx, org.Operator(org.Tenant{}, operator))
	return token, err
}

// checkSignUp returns an error if people cannot sign up as configured.
func (c *Config) checkSignUp() error {
	switch app.SignUp(c.SignUp) {
	case app.SignUpFirst, app.SignUpClosed:
		return nil
	case app.SignUpOpen:
		if c.SMTP.IsZero() {
			return errors.New("--signup open needs a mail server: set --smtp (KHATM_SMTP) and --mail-from, because people sign up with a link in an e-mail")
		}
		return nil
	}
	return fmt.Errorf("--signup is %q; it must be first, open or closed", c.SignUp)
}
