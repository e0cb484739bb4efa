package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Factors manages the second factors of people.
type Factors interface {
	Factor(ctx context.Context, person uuid.UUID) (account.Factor, error)
	StartFactor(ctx context.Context, p org.Person, password string) (secret, otpauth string, expires time.Time, err error)
	ActivateFactor(ctx context.Context, by org.Actor, person uuid.UUID, code string, count account.CountCode) (codes []string, session string, err error)
	RenewRecovery(ctx context.Context, by org.Actor, p org.Person, again account.Reentry) ([]string, error)
	RemoveFactor(ctx context.Context, by org.Actor, p org.Person, again account.Reentry) error
}

// FactorWindow counts the wrong codes of authenticator apps per person and hour.
// It applies to known networks too: a code has only six digits.
const FactorWindow = "second factor"

const tagFactor = "Second factor"

func (s *Surface) factorRows() []wire.Route {
	const path = "/api/person/second-factor/"
	again := []string{PairWindow, EmailWindow, FactorWindow}
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "get-second-factor", Tag: tagFactor, Access: wire.Visitors,
			Summary: "Read the state of the second factor", Doc: "Returns whether your account has a second factor, and how many recovery codes are left.",
		}, s.getFactor),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "start-second-factor", Tag: tagFactor, Access: wire.Visitors, Free: true, Hourly: again,
			Status: http.StatusCreated, Codes: []fault.Code{fault.WrongCurrentPassword, fault.SecondFactorActive},
			Summary: "Add a second factor",
			Doc: "Returns a secret for an authenticator app. This is the only response that contains it. Signing in does not change until you confirm the secret with a code, within one hour. " +
				"A new secret replaces one that is not confirmed.",
			Example: `{"password": "correct horse battery"}`,
		}, s.startFactor),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path + "confirm/", Name: "confirm-second-factor", Tag: tagFactor, Access: wire.Visitors, Free: true, Hourly: again,
			Codes:   []fault.Code{fault.WrongCurrentCode, fault.SecondFactorMissing},
			Summary: "Confirm the second factor",
			Doc: "From now on signing in needs a code. Returns ten recovery codes, each of which replaces one code of the app: store them, because they cannot be shown again. " +
				"All sessions of your account end; the response contains a new one, like a sign-in.",
			Example: `{"code": "287082"}`,
		}, s.confirmFactor),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path + "recovery-codes/", Name: "renew-recovery-codes", Tag: tagFactor, Access: wire.Visitors, Free: true, Hourly: again,
			Codes:   []fault.Code{fault.WrongCurrentPassword, fault.WrongCurrentCode, fault.SecondFactorMissing},
			Summary: "Replace the recovery codes", Doc: "Returns ten new recovery codes. The previous ones stop working.",
			Example: exampleReentry,
		}, s.renewRecovery),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path + "remove/", Name: "remove-second-factor", Tag: tagFactor, Access: wire.Visitors, Free: true, Hourly: again,
			Codes:   []fault.Code{fault.WrongCurrentPassword, fault.WrongCurrentCode, fault.SecondFactorMissing},
			Summary: "Remove the second factor", Doc: "Signing in needs no code any more, and the recovery codes stop working.",
			Example: exampleReentry,
		}, s.removeFactor),
	}
}

const exampleReentry = `{"password": "correct horse battery", "code": "287082"}`

type factorState struct {
	Active bool       `json:"active" doc:"Whether signing in needs a code."`
	Since  *time.Time `json:"active_since" doc:"Time the second factor was confirmed; null without one."`
	Left   int        `json:"recovery_codes_left" example:"10" doc:"Number of recovery codes that were not used."`
}

func (s *Surface) getFactor(ctx context.Context, c wire.Caller, _ *nothing) (*factorState, error) {
	f, err := s.Factors.Factor(ctx, c.Visitor.Person.ID)
	if err != nil || !f.Active() {
		return &factorState{}, err
	}
	return &factorState{Active: true, Since: &f.ActiveAt, Left: f.Recovery}, nil
}

type startFactor struct {
	Body struct {
		Password string `json:"password" maxLength:"1000" doc:"Your password."`
	} `body:"json"`
}

type startedFactor struct {
	Secret  string    `json:"secret" doc:"Secret in base32, to type into an authenticator app."`
	URL     string    `json:"otpauth_url" doc:"The same as an otpauth URL, for a QR code: 6 digits, 30 seconds, SHA-1."`
	Expires time.Time `json:"expires_at" doc:"Time until which the secret can be confirmed."`
}

func (s *Surface) startFactor(ctx context.Context, c wire.Caller, in *startFactor) (*startedFactor, error) {
	out := &startedFactor{}
	err := s.reentered(ctx, c, func() (err error) {
		out.Secret, out.URL, out.Expires, err = s.Factors.StartFactor(ctx, c.Visitor.Person, in.Body.Password)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

type confirmFactor struct {
	Body struct {
		Code string `json:"code" minLength:"1" maxLength:"100" example:"287082" doc:"Code that the authenticator app shows."`
	} `body:"json"`
}

type recoveryCodes struct {
	Codes []string `json:"recovery_codes" doc:"Recovery codes. Each works once. They cannot be shown again."`
}

type confirmedFactor struct {
	recoveryCodes
	signedIn
}

func (s *Surface) confirmFactor(ctx context.Context, c wire.Caller, in *confirmFactor) (*confirmedFactor, error) {
	codes, token, err := s.Factors.ActivateFactor(ctx, personActor(c), c.Visitor.Person.ID, in.Body.Code, countCode(c))
	if err != nil {
		return nil, err
	}
	session, err := s.welcome(ctx, c, token)
	if err != nil {
		return nil, err
	}
	return &confirmedFactor{recoveryCodes{codes}, *session}, nil
}

type reentry struct {
	Body struct {
		Password string `json:"password" maxLength:"1000" doc:"Your password."`
		Code     string `json:"code" minLength:"1" maxLength:"100" example:"287082" doc:"Code that the authenticator app shows, or a recovery code."`
	} `body:"json"`
}

func (r *reentry) of(c wire.Caller) account.Reentry {
	return account.Reentry{Password: r.Body.Password, Code: r.Body.Code, CountCode: countCode(c)}
}

func (s *Surface) renewRecovery(ctx context.Context, c wire.Caller, in *reentry) (*recoveryCodes, error) {
	out := &recoveryCodes{}
	err := s.reentered(ctx, c, func() (err error) {
		out.Codes, err = s.Factors.RenewRecovery(ctx, personActor(c), c.Visitor.Person, in.of(c))
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Surface) removeFactor(ctx context.Context, c wire.Caller, in *reentry) (*done, error) {
	err := s.reentered(ctx, c, func() error { return s.Factors.RemoveFactor(ctx, personActor(c), c.Visitor.Person, in.of(c)) })
	if err != nil {
		return nil, err
	}
	return &done{"Second factor removed."}, nil
}

// reentered calls do, which checks the password again. A wrong password or code
// counts as a failed sign-in, so that a stolen session cannot be used to guess them.
func (s *Surface) reentered(ctx context.Context, c wire.Caller, do func() error) error {
	failed, err := s.countTry(ctx, c, c.Visitor.Person.Email)
	if err != nil {
		return err
	}
	err = do()
	if code := fault.CodeOf(err); code != fault.WrongCurrentPassword && code != fault.WrongCurrentCode {
		failed.not()
	}
	return err
}

// countCode returns the function that counts the codes of a call.
func countCode(c wire.Caller) account.CountCode {
	return func(ctx context.Context, person uuid.UUID) (func(), error) {
		return c.Count(ctx, FactorWindow, person.String())
	}
}

// personActor returns a signed-in person who acts for no organisation.
func personActor(c wire.Caller) org.Actor {
	p := c.Visitor.Person
	return org.Actor{Kind: org.PersonActor, ID: p.ID, Name: p.Email, Address: c.Address, Request: c.Request}
}
