package main

import (
	"context"
	"fmt"
	"strings"

	"khatm/service/admin"
)

// keyCommands are the commands on API keys.
type keyCommands struct {
	Create keyCreate `cmd:"" help:"Create an API key, and print it. It is not shown again."`
	List   keyList   `cmd:"" help:"List an organisation's API keys."`
	Revoke keyRevoke `cmd:"" help:"Revoke an API key: the next call with it is refused."`
}

type keyCreate struct {
	settings
	ofOrganisation
	Name  string   `required:"" placeholder:"TITLE" help:"Name that tells what the key is for, such as 'Till 1'."`
	Role  string   `default:"CreateInvoice" enum:"ViewInvoice,CreateInvoice,Accountant" placeholder:"ROLE" help:"Role: ViewInvoice, CreateInvoice or Accountant (default ${default})."`
	Scope []string `placeholder:"SCOPE" help:"Restrict the key to this scope, such as invoice.create; can be repeated (default: all scopes of the role)."`
}

func (c keyCreate) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, err := a.CreateKey(ctx, c.Org, c.Name, c.Role, c.Scope)
		if err != nil {
			return err
		}
		t.say("created key %s… (%s, %s): store it now, it is not shown again", made.Name, made.Title, made.Role)
		if made.Blocked != "" {
			t.say("the key does not work yet: %s", made.Blocked)
		}
		_, err = fmt.Fprintln(t.out, made.Text)
		return err
	})
}

type keyList struct{ orgListing }

func (c keyList) Run(t *console) error {
	return printOrgList(t, c.orgListing, (*admin.Admin).Keys, "key, role, scopes, made, by, revoked, name", func(k admin.Key) []any {
		scopes, revoked := "all", ""
		if len(k.Scopes) > 0 {
			scopes = strings.Join(k.Scopes, ",")
		}
		if k.RevokedAt != nil {
			revoked = day(*k.RevokedAt)
		}
		return []any{k.Name, k.Role, scopes, day(k.CreatedAt), k.CreatedBy, revoked, k.Title}
	})
}

type keyRevoke struct {
	settings
	ofOrganisation
	Key string `arg:"" help:"First 12 characters of the key, or its id; see khatm key list."`
}

func (c keyRevoke) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		err := a.RevokeKey(ctx, c.Org, c.Key)
		if err == nil {
			t.say("the key is revoked")
		}
		return err
	})
}
