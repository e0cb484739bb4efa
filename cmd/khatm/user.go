package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"khatm/service/admin"
)

// userCommands are the commands on users.
type userCommands struct {
	Create   userCreate   `cmd:"" help:"Create an account. A generated password is printed once."`
	Join     userJoin     `cmd:"" help:"Add a user to another organisation, or change a member's role."`
	List     userList     `cmd:"" help:"List an organisation's users."`
	Password userPassword `cmd:"" help:"Set a new password and end the user's sessions. A generated password is printed once."`
	Disable  userDisable  `cmd:"" help:"Disable an account and end its sessions."`
	Enable   userEnable   `cmd:"" help:"Enable a disabled account."`

	DropSecondFactor userDropSecondFactor `cmd:"" help:"Remove the second factor of a user who has lost it, and end their sessions."`
}

// password holds the flag of commands that set a password.
type password struct {
	PasswordStdin bool `help:"Read the password from standard input instead of generating one."`
}

// read reads a line from standard input. It returns "" if the password is to be
// generated.
func (p password) read(in io.Reader) (string, error) {
	if !p.PasswordStdin {
		return "", nil
	}
	data, err := io.ReadAll(io.LimitReader(in, 4<<10))
	if err != nil {
		return "", fmt.Errorf("read the password: %w", err)
	}
	text, _, _ := strings.Cut(string(data), "\n")
	text = strings.TrimSuffix(text, "\r")
	if text == "" {
		return "", errors.New("the password on standard input is empty")
	}
	return text, nil
}

// print prints a generated password, if there is one.
func (p password) print(t *console, generated string) error {
	if generated == "" {
		return nil
	}
	t.say("the password is not shown again, and should be changed after the first sign-in:")
	_, err := fmt.Fprintln(t.out, generated)
	return err
}

// role holds the flag of commands that set a role.
type role struct {
	Role string `required:"" enum:"ViewInvoice,CreateInvoice,Accountant,Admin" placeholder:"ROLE" help:"Role: ViewInvoice, CreateInvoice, Accountant or Admin."`
}

type userCreate struct {
	settings
	ofOrganisation
	Email string `required:"" placeholder:"ADDRESS" help:"E-mail address, used to sign in."`
	Name  string `placeholder:"TEXT" help:"Name of the user."`
	role
	password
}

func (c userCreate) Run(t *console) error {
	given, err := c.password.read(t.in)
	if err != nil {
		return err
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, generated, err := a.CreatePerson(ctx, c.Org, admin.Person{Email: c.Email, Name: c.Name, Role: c.Role}, given)
		if err != nil {
			return err
		}
		t.say("%s can sign in as %s", made.Email, made.Role)
		return c.password.print(t, generated)
	})
}

type userJoin struct {
	settings
	ofOrganisation
	email
	role
}

// email is the argument of commands on one account.
type email struct {
	Email string `arg:"" help:"E-mail address of the account."`
}

func (c userJoin) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		p, err := a.Join(ctx, c.Org, c.Email, c.Role)
		if err == nil {
			t.say("%s is now a member with the role %s", p.Email, p.Role)
		}
		return err
	})
}

type userList struct{ orgListing }

func (c userList) Run(t *console) error {
	return printOrgList(t, c.orgListing, (*admin.Admin).People, "email, role, account, since, name", func(p admin.Person) []any {
		state := "open"
		if p.Disabled {
			state = "disabled"
		}
		return []any{p.Email, p.Role, state, day(p.CreatedAt), p.Name}
	})
}

type userPassword struct {
	settings
	email
	password
}

func (c userPassword) Run(t *console) error {
	given, err := c.password.read(t.in)
	if err != nil {
		return err
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		generated, err := a.SetPassword(ctx, c.Email, given)
		if err != nil {
			return err
		}
		t.say("%s has a new password and is signed out everywhere", c.Email)
		return c.password.print(t, generated)
	})
}

// oneAccount holds the arguments of commands that disable or enable an account.
type oneAccount struct {
	settings
	email
}

type userDisable struct{ oneAccount }

func (c userDisable) Run(t *console) error {
	return c.set(t, true, "is signed out everywhere and cannot sign in")
}

type userEnable struct{ oneAccount }

func (c userEnable) Run(t *console) error { return c.set(t, false, "can sign in again") }

func (c oneAccount) set(t *console, disabled bool, effect string) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		err := a.SetDisabled(ctx, c.Email, disabled)
		if err == nil {
			t.say("%s %s", c.Email, effect)
		}
		return err
	})
}

type userDropSecondFactor struct{ oneAccount }

func (c userDropSecondFactor) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		err := a.DropSecondFactor(ctx, c.Email)
		if err == nil {
			t.say("%s is signed out everywhere and signs in with the password alone", c.Email)
		}
		return err
	})
}
