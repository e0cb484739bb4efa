package main

import (
	"context"

	"khatm/service/admin"
)

// branchCommands are the commands on the branches of an organisation.
type branchCommands struct {
	Create branchCreate `cmd:"" help:"Register a branch of an organisation, and print its id."`
	List   branchList   `cmd:"" help:"List an organisation's branches."`
}

type branchCreate struct {
	settings
	ofOrganisation
	Name string `required:"" placeholder:"TEXT" help:"Name of the branch; the default unit name in the certificates of its devices."`
	identityFlags
	JSON bool `help:"Print the record as JSON instead of its id."`
}

func (c branchCreate) Run(t *console) error {
	wanted := admin.Branch{Name: c.Name}
	c.apply(&wanted.Identification, &wanted.Address)
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, err := a.CreateBranch(ctx, c.Org, wanted)
		if err != nil {
			return err
		}
		t.say("branch %s", made.Name)
		return printMade(t.out, c.JSON, made, made.ID)
	})
}

type branchList struct{ orgListing }

func (c branchList) Run(t *console) error {
	return printOrgList(t, c.orgListing, (*admin.Admin).Branches, "id, number, city, name", func(b admin.Branch) []any {
		return []any{b.ID, b.Identification.Type + " " + b.Identification.Value, b.City, b.Name}
	})
}
