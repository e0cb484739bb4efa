package main

import (
	"context"
	"fmt"
	"strings"

	"khatm/service/admin"
)

// keyCommands are the commands on API keys.
type keyCommands struct {
	Create keyCreate `cmd:"" help:"Make an API key, and print it: alone, and only now."`
	List   keyList   `cmd:"" help:"List an organisation's keys."`
	Revoke keyRevoke `cmd:"" help:"End a key: the next call with it is refused."`
}

type keyCreate struct {
	settings
	ofOrganisation
	Name  string   `required:"" placeholder:"TITLE" help:"What it is for, such as 'Till 1'."`
	Role  string   `default:"CreateInvoice" enum:"ViewInvoice,CreateInvoice,Accountant" placeholder:"ROLE" help:"ViewInvoice, CreateInvoice or Accountant (${default})."`
	Scope []string `placeholder:"SCOPE" help:"Narrow it to this scope, such as invoice.create; may be given several times."`
}

func (c keyCreate) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, err := a.CreateKey(ctx, c.Org, c.Name, c.Role, c.Scope)
		if err != nil {
			return err
		}
		t.say("key %s… (%s, %s): keep it, for it is shown only now", made.Name, made.Title, made.Role)
		if made.Blocked != "" {
			t.say("it does not work yet: %s", made.Blocked)
		}
		_, err = fmt.Fprintln(t.out, made.Text)
		return err
	})
}

type keyList struct {
	listing
	ofOrganisation
}

func (c keyList) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		all, err := a.Keys(ctx, c.Org)
		if err != nil {
			return err
		}
		return printTable(t.out, c.JSON, all, "key, role, scopes, made, by, revoked, name", func(k admin.Key) []any {
			scopes, revoked := "all", ""
			if len(k.Scopes) > 0 {
				scopes = strings.Join(k.Scopes, ",")
			}
			if k.RevokedAt != nil {
				revoked = day(*k.RevokedAt)
			}
			return []any{k.Name, k.Role, scopes, day(k.CreatedAt), k.CreatedBy, revoked, k.Title}
		})
	})
}

type keyRevoke struct {
	settings
	ofOrganisation
	Key string `arg:"" help:"Its first 12 characters, or its id; khatm key list shows them."`
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
