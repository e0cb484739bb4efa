package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"khatm/codes"
	"khatm/service/admin"
)

// deviceCommands are the commands on devices.
type deviceCommands struct {
	Create  deviceCreate  `cmd:"" help:"Make a device, and print its id. It must be onboarded before it can issue."`
	Onboard deviceOnboard `cmd:"" help:"Get a device its certificate from the tax authority, from wherever it is on the way."`
	Renew   deviceRenew   `cmd:"" help:"Replace a device's certificate; the old one issues until the new one is held."`
	List    deviceList    `cmd:"" help:"List an organisation's devices."`
	Show    deviceShow    `cmd:"" help:"Show a device, what went wrong with it, and what to do."`
}

type deviceCreate struct {
	settings
	ofOrganisation
	Authority string `default:"" enum:",simulator,sandbox,simulation,production" env:"KHATM_AUTHORITY" placeholder:"NAME" help:"Which tax authority: simulator, sandbox, simulation or production; by itself the one that the installation belongs to."`
	Branch    string `placeholder:"ID" help:"The branch whose number and address it issues with; khatm branch list shows them."`
	Name      string `required:"" placeholder:"TEXT" help:"A name that is unique to the organisation, such as 'Till 1'."`
	Type      string `required:"" enum:"1000,0100,1100" placeholder:"CODE" help:"1000 standard invoices, 0100 simplified ones, 1100 both."`
	Industry  string `required:"" placeholder:"TEXT" help:"What is sold there, in plain words without symbols, such as Retail."`
	Location  string `placeholder:"TEXT" help:"Its address, best the national short one such as RRRD2929; by itself that of the branch or the organisation."`
	Unit      string `placeholder:"TEXT" help:"The unit's name; by itself that of the branch or the organisation. A member of a VAT group gives its 10-digit TIN."`
	Serial    string `placeholder:"TEXT" help:"Its serial number as 1-provider|2-model|3-number; by itself a fresh one."`
	JSON      bool   `help:"Print the record as JSON instead of its id."`
}

func (c deviceCreate) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, err := a.CreateDevice(ctx, c.Org, admin.NewDevice{
			Environment: c.Authority, Branch: c.Branch, CommonName: c.Name, SerialNumber: c.Serial, InvoiceType: c.Type,
			UnitName: c.Unit, Location: c.Location, Industry: c.Industry, Version: version,
		})
		if err != nil {
			return err
		}
		t.say("device %s of the authority's %s environment; its certificate: khatm device onboard %s --otp CODE", made.CommonName, made.Environment, made.ID)
		return printMade(t.out, c.JSON, made, made.ID)
	})
}

// certification is a command that gets a certificate.
type certification struct {
	settings
	ID           string `arg:"" help:"The device; khatm device list shows them."`
	OTP          string `name:"otp" env:"KHATM_OTP" placeholder:"CODE" help:"The one-time password of 6 digits from the authority's portal; - reads it from standard input. The simulator beside a server is asked for one."`
	Authority    string `default:"" enum:",simulator,sandbox,simulation,production" env:"KHATM_AUTHORITY" placeholder:"NAME" help:"Which tax authority is meant; another than the device's own is refused."`
	AuthorityURL string `name:"authority-url" env:"KHATM_AUTHORITY_URL" placeholder:"URL" help:"Where the authority is, if not at its published address; the simulator beside a server is found by itself, and khatm authority prints where another one is."`
}

// lead runs the deed, and says every state as it is reached.
func (c certification) lead(t *console, anew bool, deed func(*admin.Admin, context.Context, string, admin.Certification) (admin.Device, error)) error {
	otp := c.OTP
	if otp == "-" {
		line, err := bufio.NewReader(io.LimitReader(t.in, 100)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the one-time password: %w", err)
		}
		otp = strings.TrimSpace(line)
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		url, otp, err := c.nearby(ctx, t, a, otp)
		if err != nil {
			return err
		}
		d, err := deed(a, ctx, c.ID, admin.Certification{
			Environment: c.Authority, URL: url, OTP: otp, Anew: anew,
			Saw: func(status string) { fmt.Fprintln(t.out, status) },
		})
		if trouble, known := admin.TroubleOf(err); known {
			return errors.New(trouble.What + troubleText(trouble))
		}
		if err != nil {
			return err
		}
		t.say("device %s can issue until %s", d.CommonName, day(d.Production.NotAfter))
		return nil
	})
}

// nearby fills in what the simulator beside a server knows: where it is, and a
// one-time password, which nobody can get from a portal there.
func (c certification) nearby(ctx context.Context, t *console, a *admin.Admin, otp string) (url, password string, err error) {
	if c.AuthorityURL != "" || c.Authority != "" && c.Authority != "simulator" {
		return c.AuthorityURL, otp, nil
	}
	d, err := a.Device(ctx, c.ID)
	if err != nil || d.Environment != "simulator" {
		return "", otp, err
	}
	at, runs := findEmbedded(ctx, c.Data)
	if !runs {
		return "", otp, nil
	}
	if otp != "" {
		return at.URL, otp, nil
	}
	seller, err := a.Organisation(ctx, d.Seller.String())
	if err != nil {
		return "", "", err
	}
	if otp, err = at.password(ctx, seller.VATNumber); err != nil {
		return "", "", err
	}
	t.say("the simulator beside the server gave a one-time password; from the real authority it comes from the Fatoora portal")
	return at.URL, otp, nil
}

// troubleText is what comes behind the first sentence of a trouble.
func troubleText(t admin.Trouble) string {
	text := "\n  " + t.WhatArabic
	if t.Said != "" {
		text += "\n  it was said: " + oneLine(t.Said)
	}
	return text + "\nWhat to do: " + t.Next + "\n  " + t.NextArabic
}

type deviceOnboard struct{ certification }

func (c deviceOnboard) Run(t *console) error { return c.lead(t, false, (*admin.Admin).Onboard) }

type deviceRenew struct {
	certification
	Anew bool `help:"Ask like a new device, because the authority does not take the old certificate any more."`
}

func (c deviceRenew) Run(t *console) error { return c.lead(t, c.Anew, (*admin.Admin).Renew) }

type deviceList struct {
	listing
	ofOrganisation
}

func (c deviceList) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		all, err := a.Devices(ctx, c.Org)
		if err != nil {
			return err
		}
		return printTable(t.out, c.JSON, all, "id, status, type, authority, until, documents, name", func(d admin.Device) []any {
			until := ""
			if d.Production != nil {
				until = day(d.Production.NotAfter)
			}
			return []any{d.ID, d.Status, d.InvoiceType, d.Environment, until, d.Counter, d.CommonName}
		})
	})
}

type deviceShow struct {
	listing
	ID string `arg:"" help:"The device; khatm device list shows them."`
}

func (c deviceShow) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		d, err := a.Device(ctx, c.ID)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(t.out, d)
		}
		return printDevice(t.out, d)
	})
}

func printDevice(out io.Writer, d admin.Device) error {
	label := codes.DeviceLabel(d.Status)
	branch := ""
	if d.Branch != nil {
		branch = d.Branch.String()
	}
	card := [][2]string{
		{"id", d.ID.String()}, {"organisation", d.Seller.String()}, {"name", d.CommonName}, {"serial number", d.SerialNumber},
		{"type", d.InvoiceType}, {"unit", d.UnitName}, {"branch", branch}, {"location", d.Location}, {"industry", d.Industry},
		{"authority", d.Environment}, {"status", d.Status + " (" + label.EN + " / " + label.AR + ")"},
	}
	card = append(card, troubleCard("", d.Trouble)...)
	card = append(card, validityCard("compliance certificate", d.Compliance), validityCard("production certificate", d.Production))
	if d.Renewal != nil {
		card = append(card, [2]string{"renewal", d.Renewal.Status})
		card = append(card, troubleCard("renewal: ", d.Renewal.Trouble)...)
	}
	return printCard(out, append(card,
		[2]string{"documents", strconv.FormatInt(d.Counter, 10)}, [2]string{"nothing is sent", d.Parked}, [2]string{"since", day(d.CreatedAt)})...)
}

func troubleCard(of string, t *admin.Trouble) [][2]string {
	if t == nil {
		return nil
	}
	return [][2]string{
		{of + "trouble", t.Code + ": " + t.What}, {of + "in Arabic", t.WhatArabic}, {of + "it was said", t.Said},
		{of + "what to do", t.Next}, {of + "to do, in Arabic", t.NextArabic},
	}
}

func validityCard(of string, v *admin.Validity) [2]string {
	if v == nil {
		return [2]string{of, "none"}
	}
	return [2]string{of, fmt.Sprintf("%s to %s (%s, %d days left)", day(v.NotBefore), day(v.NotAfter), v.Expiry, v.DaysLeft)}
}
