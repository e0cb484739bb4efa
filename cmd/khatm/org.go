package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"khatm/service/admin"
)

// orgCommands are the commands on organisations.
type orgCommands struct {
	Create     orgCreate     `cmd:"" help:"Register an organisation, and print its id."`
	List       orgList       `cmd:"" help:"List the organisations."`
	Show       orgShow       `cmd:"" help:"Show an organisation."`
	Change     orgChange     `cmd:"" help:"Change an organisation's record or logo."`
	Plan       orgPlan       `cmd:"" help:"Put an organisation on a plan."`
	Suspend    orgSuspend    `cmd:"" help:"Refuse an organisation's calls with 403 until it is activated."`
	Activate   orgActivate   `cmd:"" help:"Activate a suspended or deactivated organisation."`
	Deactivate orgDeactivate `cmd:"" help:"Refuse an organisation's keys with 401, like unknown ones, until it is activated."`
}

type orgCreate struct {
	settings
	orgRecord
	Plan        string `placeholder:"SLUG" help:"Plan of the organisation; see khatm plan list."`
	DefaultPlan string `default:"enterprise" env:"KHATM_DEFAULT_PLAN" placeholder:"SLUG" help:"Plan if neither --plan nor --from gives one (default ${default})."`
	JSON        bool   `help:"Print the record as JSON instead of its id."`
}

func (c orgCreate) Run(t *console) error {
	wanted := admin.Organisation{}
	if err := c.apply(t.in, &wanted); err != nil {
		return err
	}
	wanted.Plan = cmp.Or(c.Plan, wanted.Plan, c.DefaultPlan)
	return c.withNew(func(ctx context.Context, a *admin.Admin) error {
		made, err := a.CreateOrganisation(ctx, wanted)
		if err != nil {
			return err
		}
		t.say("created organisation %s on plan %s; to create a key for it: khatm key create --org %s --name TITLE", made.Name, made.Plan, made.ID)
		return printMade(t.out, c.JSON, made, made.ID)
	})
}

// printMade prints the id of a new record, or the whole record as JSON.
func printMade[T any](out io.Writer, asJSON bool, made T, id fmt.Stringer) error {
	if asJSON {
		return printJSON(out, made)
	}
	_, err := fmt.Fprintln(out, id)
	return err
}

type orgList struct{ listing }

func (c orgList) Run(t *console) error {
	return printList(t, c.listing, (*admin.Admin).Organisations, "id, vat number, status, plan, name, arabic name", func(o admin.Organisation) []any {
		return []any{o.ID, o.VATNumber, o.Status, o.Plan, o.Name, o.NameArabic}
	})
}

// orgID is the argument of commands on one organisation.
type orgID struct {
	ID string `arg:"" help:"Organisation ID; see khatm org list."`
}

type orgShow struct {
	listing
	orgID
}

func (c orgShow) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		o, err := a.Organisation(ctx, c.ID)
		if err != nil {
			return err
		}
		return printOrg(t.out, c.JSON, o)
	})
}

func printOrg(out io.Writer, asJSON bool, o admin.Organisation) error {
	if asJSON {
		return printJSON(out, o)
	}
	return printCard(out,
		[2]string{"id", o.ID.String()}, [2]string{"name", o.Name}, [2]string{"arabic name", o.NameArabic},
		[2]string{"vat number", o.VATNumber}, [2]string{"other id", o.Identification.Type + " " + o.Identification.Value},
		[2]string{"street", o.Street}, [2]string{"additional street", o.AdditionalStreet}, [2]string{"building", o.BuildingNumber},
		[2]string{"plot", o.PlotIdentification}, [2]string{"district", o.District}, [2]string{"city", o.City},
		[2]string{"province", o.ProvinceState}, [2]string{"postal code", o.PostalCode}, [2]string{"country", o.CountryCode},
		[2]string{"arabic street", o.StreetArabic}, [2]string{"additional arabic street", o.AdditionalStreetArabic},
		[2]string{"arabic district", o.DistrictArabic}, [2]string{"arabic city", o.CityArabic}, [2]string{"arabic province", o.ProvinceStateArabic},
		[2]string{"amount in words", yes(o.Settings.AmountInWords)}, [2]string{"iban", o.Settings.IBAN}, [2]string{"phone", o.Settings.Phone},
		[2]string{"due days", count(o.Settings.DueDays)},
		[2]string{"logo", yes(o.Logo)}, [2]string{"status", o.Status}, [2]string{"plan", o.Plan}, [2]string{"since", day(o.CreatedAt)},
	)
}

// yes returns "yes" for true, and "" for false, which is not printed.
func yes(set bool) string {
	if set {
		return "yes"
	}
	return ""
}

// count returns a number, and "" for 0, which is not printed.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

type orgChange struct {
	listing
	orgID
	orgRecord
	Logo *string `placeholder:"FILE" help:"Logo for its documents: a PNG, JPEG or WebP file. An empty value removes the logo."`
}

func (c orgChange) Run(t *console) error {
	logo, err := c.logo()
	if err != nil {
		return err
	}
	if !c.given() && c.Logo == nil {
		return errors.New("nothing to change: give at least one flag, see khatm org change --help")
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		var o admin.Organisation
		if c.given() {
			if o, err = a.ChangeOrganisation(ctx, c.ID, func(o *admin.Organisation) error { return c.apply(t.in, o) }); err != nil {
				return err
			}
		}
		if c.Logo != nil {
			if o, err = a.SetLogo(ctx, c.ID, logo); err != nil {
				return err
			}
		}
		return printOrg(t.out, c.JSON, o)
	})
}

// logo reads the logo file and removes its metadata. It is called before anything
// is changed.
func (c orgChange) logo() (admin.Logo, error) {
	if c.Logo == nil || *c.Logo == "" {
		return admin.Logo{}, nil
	}
	file, err := os.Open(*c.Logo)
	if err != nil {
		return admin.Logo{}, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, admin.MaxLogo+1))
	if err == nil && len(data) == 0 {
		err = fmt.Errorf("%s is empty", *c.Logo)
	}
	if err != nil {
		return admin.Logo{}, err
	}
	return admin.NewLogo(data)
}

type orgPlan struct {
	settings
	orgID
	Slug string `arg:"" help:"Plan; see khatm plan list."`
}

func (c orgPlan) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		o, err := a.Subscribe(ctx, c.ID, c.Slug)
		if err == nil {
			t.say("%s is now on plan %s", o.Name, o.Plan)
		}
		return err
	})
}
