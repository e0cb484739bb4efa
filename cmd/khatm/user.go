package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"khatm/service/admin"
)

// userCommands are the commands on people who sign in.
type userCommands struct {
	Create   userCreate   `cmd:"" help:"Make an account for somebody; a drawn password is printed once."`
	Join     userJoin     `cmd:"" help:"Make somebody who has an account a member of an organisation too, or give a member another role."`
	List     userList     `cmd:"" help:"List an organisation's people."`
	Password userPassword `cmd:"" help:"Give somebody another password and end their sessions; a drawn one is printed once."`
	Disable  userDisable  `cmd:"" help:"Close somebody's account."`
	Enable   userEnable   `cmd:"" help:"Open somebody's account again."`
}

// password is where the password of a command comes from.
type password struct {
	PasswordStdin bool `help:"Read the password from standard input instead of drawing one."`
}

// read reads one line; empty if the password shall be drawn.
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
		return "", errors.New("there is no password on standard input")
	}
	return text, nil
}

// print shows a drawn password, alone.
func (p password) print(t *console, drawn string) error {
	if drawn == "" {
		return nil
	}
	t.say("the password is shown only now; they should change it:")
	_, err := fmt.Fprintln(t.out, drawn)
	return err
}

// role is what a person may do.
type role struct {
	Role string `required:"" enum:"ViewInvoice,CreateInvoice,Accountant,Admin" placeholder:"ROLE" help:"ViewInvoice, CreateInvoice, Accountant or Admin."`
}

type userCreate struct {
	settings
	ofOrganisation
	Email string `required:"" placeholder:"ADDRESS" help:"What they sign in with."`
	Name  string `placeholder:"TEXT" help:"Their name."`
	role
	password
}

func (c userCreate) Run(t *console) error {
	given, err := c.password.read(t.in)
	if err != nil {
		return err
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, drawn, err := a.CreatePerson(ctx, c.Org, admin.Person{Email: c.Email, Name: c.Name, Role: c.Role}, given)
		if err != nil {
			return err
		}
		t.say("%s can sign in as %s", made.Email, made.Role)
		return c.password.print(t, drawn)
	})
}

type userJoin struct {
	settings
	ofOrganisation
	email
	role
}

// email names somebody who has an account.
type email struct {
	Email string `arg:"" help:"Their e-mail address."`
}

func (c userJoin) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		p, err := a.Join(ctx, c.Org, c.Email, c.Role)
		if err == nil {
			t.say("%s is a member with the role %s", p.Email, p.Role)
		}
		return err
	})
}

type userList struct {
	listing
	ofOrganisation
}

func (c userList) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		all, err := a.People(ctx, c.Org)
		if err != nil {
			return err
		}
		return printTable(t.out, c.JSON, all, "email, role, account, since, name", func(p admin.Person) []any {
			state := "open"
			if p.Disabled {
				state = "disabled"
			}
			return []any{p.Email, p.Role, state, day(p.CreatedAt), p.Name}
		})
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
		drawn, err := a.SetPassword(ctx, c.Email, given)
		if err != nil {
			return err
		}
		t.say("%s has another password, and is signed out everywhere", c.Email)
		return c.password.print(t, drawn)
	})
}

type userDisable struct {
	settings
	email
}

func (c userDisable) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		err := a.SetDisabled(ctx, c.Email, true)
		if err == nil {
			t.say("%s is signed out everywhere and cannot sign in", c.Email)
		}
		return err
	})
}

type userEnable struct {
	settings
	email
}

func (c userEnable) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		err := a.SetDisabled(ctx, c.Email, false)
		if err == nil {
			t.say("%s can sign in again", c.Email)
		}
		return err
	})
}
