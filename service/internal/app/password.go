package app

import (
	"context"
	"net/http"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Passwords changes passwords and names of people.
type Passwords interface {
	// AskReset stores a request for a link that sets a new password. It does not
	// look up the account.
	AskReset(ctx context.Context, r account.Reset) error
	UseReset(ctx context.Context, by org.Actor, token, password string) error
	// ReplacePassword ends all sessions of the person and opens a new one.
	ReplacePassword(ctx context.Context, by org.Actor, current, wanted, network string) (session string, err error)
	Rename(ctx context.Context, by org.Actor, name string) (org.Person, error)
}

// Names of the windows that limit requests for a new password: ResetWindow those of
// an address per minute, ResetPairWindow those for an e-mail from one address per
// hour.
const (
	ResetWindow     = "password reset"
	ResetPairWindow = "password reset e-mail and address"
)

const tagAccount = "Account"

func (s *Surface) passwordRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/password/reset/", Name: "request-password", Tag: tagAccount, Access: wire.Anyone, Free: true,
			Window: ResetWindow, Hourly: []string{ResetPairWindow}, Status: http.StatusAccepted,
			Summary: "Request a new password",
			Doc: "E-mails a link that sets a new password, if the address belongs to an account. The response is the same for every address. The link works once and for one hour; a new link replaces the previous one. " +
				"At most 10 links a day are sent to an account. Limited to 5 per minute and IP address, and to 3 per hour for an e-mail address from one IP address.",
			Example: `{"email": "noura@example.sa", "language": "en"}`,
		}, s.askReset),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/password/", Name: "set-password", Tag: tagAccount, Access: wire.Anyone, Window: LinkWindow, Free: true,
			Codes:   []fault.Code{fault.LinkNotAvailable},
			Summary: "Set a new password",
			Doc: "Sets a new password with the token of the link and ends all sessions of the person; sign in afterwards. The response is the same for an unknown, expired, used and replaced link. " +
				"Limited to 10 per minute and IP address, together with other requests that use a secret link.",
			Example: `{"token": "q3ZbT0yqk8mYw1uJ5nXv7cRe2sLd9fGh4aPi6oKlBzE", "password": "correct horse battery"}`,
		}, s.useReset),
	}
}

type askReset struct {
	Body struct {
		Email    string `json:"email" maxLength:"254" example:"noura@example.sa" doc:"E-mail address of the account."`
		Language string `json:"language" enum:"ar,en" default:"ar" doc:"Language of the e-mail: ar or en."`
	} `body:"json"`
}

func (s *Surface) askReset(ctx context.Context, c wire.Caller, in *askReset) (*done, error) {
	email, err := account.ParseEmail(in.Body.Email)
	if err != nil {
		return nil, err
	}
	if _, err := c.Count(ctx, ResetPairWindow, emailDigest(email)+" "+c.Network); err != nil {
		return nil, err
	}
	asked := account.Reset{Email: email, Language: in.Body.Language, Address: c.Address, Request: c.Request}
	if err := s.Passwords.AskReset(ctx, asked); err != nil {
		return nil, err
	}
	return &done{"If the address belongs to an account, an e-mail with a link has been sent to it."}, nil
}

type useReset struct {
	Body struct {
		Token    string `json:"token" maxLength:"200" doc:"Token of the link: the part after #."`
		Password string `json:"password" maxLength:"1000" doc:"New password: at least 10 characters and at most 200 bytes."`
	} `body:"json"`
}

func (s *Surface) useReset(ctx context.Context, c wire.Caller, in *useReset) (*done, error) {
	err := s.Passwords.UseReset(ctx, org.Actor{Address: c.Address, Request: c.Request}, in.Body.Token, in.Body.Password)
	if err != nil {
		return nil, err
	}
	return &done{"The password is changed. Sign in with the new one."}, nil
}

func (s *Surface) personRows() []wire.Route {
	const path = "/api/person/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: path, Name: "change-person", Tag: tagAccount, Access: wire.Visitors,
			Summary: "Change your name", Doc: "Changes the name of the signed-in person. A field that is not sent stays unchanged.",
			Example: `{"name": "Noura Al Harbi"}`,
		}, s.changePerson),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path + "password/", Name: "change-password", Tag: tagAccount, Access: wire.Visitors,
			Hourly:  []string{PairWindow, EmailWindow},
			Codes:   []fault.Code{fault.WrongCurrentPassword},
			Summary: "Change your password",
			Doc:     "Sets a new password, ends all sessions of the person and opens a new one, like a sign-in. A wrong current password counts as a failed sign-in.",
			Example: `{"current_password": "correct horse battery", "new_password": "another horse battery"}`,
		}, s.changePassword),
	}
}

type changePerson struct {
	Body struct {
		Name *string `json:"name" optional:"true" minLength:"1" maxLength:"100" example:"Noura Al Harbi" doc:"Name, on one line."`
	} `body:"json"`
}

func (s *Surface) changePerson(ctx context.Context, c wire.Caller, in *changePerson) (*person, error) {
	p := c.Visitor.Person
	if in.Body.Name != nil {
		var err error
		if p, err = s.Passwords.Rename(ctx, personActor(c), *in.Body.Name); err != nil {
			return nil, err
		}
	}
	return &person{p.ID, p.Email, p.Name}, nil
}

type changePassword struct {
	Body struct {
		Current string `json:"current_password" maxLength:"1000" doc:"Password that the person signs in with."`
		New     string `json:"new_password" maxLength:"1000" doc:"New password: at least 10 characters and at most 200 bytes."`
	} `body:"json"`
}

func (s *Surface) changePassword(ctx context.Context, c wire.Caller, in *changePassword) (*signedIn, error) {
	by := personActor(c)
	failed, err := s.countTry(ctx, c, by.Name)
	if err != nil {
		return nil, err
	}
	token, err := s.Passwords.ReplacePassword(ctx, by, in.Body.Current, in.Body.New, c.Network)
	if fault.CodeOf(err) != fault.WrongCurrentPassword {
		failed.not()
	}
	if err != nil {
		return nil, err
	}
	return s.welcome(ctx, c, token)
}
