package main

import (
	"context"
	"errors"
	"fmt"

	"khatm/service/admin"
)

// signUpSetting holds the flags on who creates organisations.
type signUpSetting struct {
	SignUp      string `name:"signup" default:"first" enum:"first,open,closed" env:"KHATM_SIGNUP" placeholder:"WHO" help:"Who creates organisations: first (the holder of the link that khatm setup-link prints creates the first one), open (everyone can sign up with an e-mail address; needs --smtp) or closed (only the operator, with khatm org create) (default ${default})."`
	DefaultPlan string `default:"enterprise" env:"KHATM_DEFAULT_PLAN" placeholder:"SLUG" help:"Plan of the organisation that is created with the link (default ${default})."`
	SignUpPlan  string `name:"signup-plan" default:"free" env:"KHATM_SIGNUP_PLAN" placeholder:"SLUG" help:"With --signup open: plan of the organisations of people who sign up (default ${default})."`
}

// closed is the value of --signup that turns the set-up link off.
const closed = "closed"

// setUpURL returns the set-up link. Browsers do not send the part after #, so that
// the token is in no log of a server or proxy.
func setUpURL(at, token string) string { return at + "/setup#" + token }

// setupLink prints a new set-up link.
type setupLink struct {
	settings
	addressSetting
	SignUp string `name:"signup" default:"first" enum:"first,open,closed" env:"KHATM_SIGNUP" placeholder:"WHO" help:"As for khatm serve. With closed no link is created."`
}

// Run creates the link.
func (c setupLink) Run(t *console) error {
	if c.SignUp == closed {
		return errors.New("the set-up link is turned off by --signup closed: use khatm org create and khatm user create")
	}
	return c.withNew(func(ctx context.Context, a *admin.Admin) error {
		token, expires, err := a.NewSetUp(ctx)
		if errors.Is(err, admin.ErrSetUp) {
			return errors.New("the installation is already set up: sign in, or set a new password with khatm user password")
		}
		if err != nil {
			return err
		}
		t.say("the link creates the first account and organisation. It works once, until %s; earlier links have stopped working:", day(expires))
		_, err = fmt.Fprintln(t.out, setUpURL(c.public(), token))
		return err
	})
}
