package app

import (
	"context"
	"net/http"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// SignUps creates accounts and organisations of people who sign up.
type SignUps interface {
	// AskSignUp e-mails a link, or that the address has an account.
	AskSignUp(ctx context.Context, by org.Actor, email, language string) error
	// UseSignUp uses a sign-up link and opens a session.
	UseSignUp(ctx context.Context, by org.Actor, s account.SetUp) (session string, err error)
}

// Names of the windows that limit sign-ups: SignUpWindow those of an address per
// minute, SignUpPairWindow those for an e-mail from one address per hour.
const (
	SignUpWindow     = "sign-up"
	SignUpPairWindow = "sign-up e-mail and address"
)

func (s *Surface) signUpRows() []wire.Route {
	const path = "/api/signup/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "sign-up", Tag: tagSetUp, Access: wire.Anyone, Free: true,
			Window: SignUpWindow, Hourly: []string{SignUpPairWindow}, Status: http.StatusAccepted, Codes: []fault.Code{fault.PermissionDenied},
			Summary: "Sign up",
			Doc: "E-mails a link that creates an account and an organisation. An address that already has an account gets an e-mail that says so. The response is the same for every address. " +
				"The link works once and for 24 hours; a new link replaces the previous one. Refused unless `signup` of `GET /api/setup/` is open. " +
				"At most 5 e-mails a day are sent to an address. Limited to 5 per minute and IP address, and to 3 per hour for an e-mail address from one IP address.",
			Example: `{"email": "noura@example.sa", "language": "en"}`,
		}, s.askSignUp),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path + "complete/", Name: "complete-sign-up", Tag: tagSetUp, Access: wire.Anyone, Window: LinkWindow, Free: true,
			Status: http.StatusCreated, Codes: []fault.Code{fault.LinkNotAvailable, fault.AlreadyExists},
			Summary: "Complete a sign-up",
			Doc: "Creates an account with the address that the link was sent to, and an organisation, and signs the person in as Admin. " +
				"The response is the same for an unknown, expired, used and replaced link. Limited to 10 per minute and IP address, together with other requests that use a secret link.",
			Example: exampleSignUp,
		}, s.completeSignUp),
	}
}

const exampleSignUp = `{
	"token": "q3ZbT0yqk8mYw1uJ5nXv7cRe2sLd9fGh4aPi6oKlBzE",
	"account": {"name": "Noura Al Harbi", "password": "correct horse battery"},
	"organisation": {
		"name": "Khatm Trading",
		"name_arabic": "شركة ختم التجارية",
		"vat_registration_number": "399999999900003",
		"additional_seller_id": {"type_id": "CRN", "value": "1010010000"},
		"street": "King Fahd Road",
		"building_number": "1234",
		"district": "Al Olaya",
		"city": "Riyadh",
		"postal_code": "12345"
	}
}`

type askSignUp struct {
	Body struct {
		Email    string `json:"email" maxLength:"254" example:"noura@example.sa" doc:"E-mail address of the new account."`
		Language string `json:"language" enum:"ar,en" default:"ar" doc:"Language of the e-mail: ar or en."`
	} `body:"json"`
}

func (s *Surface) askSignUp(ctx context.Context, c wire.Caller, in *askSignUp) (*done, error) {
	if s.SignUp != SignUpOpen {
		return nil, fault.New(fault.PermissionDenied, "Signing up is not open here. Ask the operator or an Admin for an account.").
			Arabic("إنشاء حسابات جديدة غير متاح هنا.").Advise("Ask the operator or an Admin for an account.", "اطلب حسابًا من مشغّل الخدمة أو من مدير النظام في منشأتك.")
	}
	email, err := account.ParseEmail(in.Body.Email)
	if err != nil {
		return nil, err
	}
	if _, err := c.Count(ctx, SignUpPairWindow, emailDigest(email)+" "+c.Network); err != nil {
		return nil, err
	}
	if err := s.SignUps.AskSignUp(ctx, org.Actor{Address: c.Address, Request: c.Request}, email, in.Body.Language); err != nil {
		return nil, err
	}
	return &done{"An e-mail has been sent to the address. Open the link in it to continue."}, nil
}

type completeSignUp struct {
	Body struct {
		Token   string `json:"token" maxLength:"200" doc:"Token of the link: the part after #."`
		Account struct {
			Name     string `json:"name" optional:"true" maxLength:"100" example:"Noura Al Harbi" doc:"Name of the person."`
			Password string `json:"password" maxLength:"1000" doc:"Password: at least 10 characters and at most 200 bytes."`
		} `json:"account" doc:"The account. Its e-mail address is the one that the link was sent to."`
		Organisation newOrganisation `json:"organisation" doc:"The organisation. Its record can be changed later."`
	} `body:"json"`
}

func (s *Surface) completeSignUp(ctx context.Context, c wire.Caller, in *completeSignUp) (*signedIn, error) {
	if s.SignUp != SignUpOpen {
		return nil, account.ErrLink()
	}
	b := in.Body
	token, err := s.SignUps.UseSignUp(ctx, org.Actor{Address: c.Address, Request: c.Request}, account.SetUp{
		Token: b.Token, Name: b.Account.Name, Password: b.Account.Password, Organisation: b.Organisation.record(s.SignUpPlan),
	})
	if err != nil {
		return nil, err
	}
	return s.welcome(ctx, c, token)
}
