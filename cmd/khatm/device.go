package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"khatm/codes"
	"khatm/service/admin"
)

// deviceCommands are the commands on devices.
type deviceCommands struct {
	Create  deviceCreate  `cmd:"" help:"Create a device, and print its id. It must be onboarded before it can issue."`
	Onboard deviceOnboard `cmd:"" help:"Get the certificate of a device from the tax authority, or continue an interrupted onboarding."`
	Renew   deviceRenew   `cmd:"" help:"Replace a device's certificate; the device uses the old one until it has the new one."`
	List    deviceList    `cmd:"" help:"List an organisation's devices."`
	Show    deviceShow    `cmd:"" help:"Show a device, its last problem, and what to do about it."`
}

type deviceCreate struct {
	settings
	ofOrganisation
	Authority string `default:"" enum:",simulator,sandbox,simulation,production" env:"KHATM_AUTHORITY" placeholder:"NAME" help:"Environment of the tax authority: simulator, sandbox, simulation or production (default: the installation's)."`
	Branch    string `placeholder:"ID" help:"ID of the device's branch, whose registration number and address are on the device's invoices; see khatm branch list."`
	Name      string `required:"" placeholder:"TEXT" help:"Name, unique in the organisation, such as 'Till 1'."`
	Type      string `required:"" enum:"1000,0100,1100" placeholder:"CODE" help:"Invoice types: 1000 (standard), 0100 (simplified) or 1100 (both)."`
	Industry  string `required:"" placeholder:"TEXT" help:"Industry, in words without symbols, such as Retail."`
	Location  string `placeholder:"TEXT" help:"Address, preferably the national short address such as RRRD2929 (default: the branch's or the organisation's)."`
	Unit      string `placeholder:"TEXT" help:"Name of the organisation unit (default: the branch's or the organisation's name). For a member of a VAT group: its 10-digit TIN."`
	Serial    string `placeholder:"TEXT" help:"Serial number in the form 1-provider|2-model|3-number (default: a new one)."`
	JSON      bool   `help:"Print the record as JSON instead of its id."`
}

func (c deviceCreate) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		made, err := c.create(ctx, a)
		if file, is := t.in.(*os.File); is && errors.Is(err, admin.ErrNoEnvironment) && isTerminal(file) && isTerminal(t.err) {
			if c.Authority, err = askEnvironment(t); err == nil {
				made, err = c.create(ctx, a)
			}
		}
		if err != nil {
			return err
		}
		t.say("created device %s for the authority's %s environment; to get its certificate: khatm device onboard %s --otp CODE", made.CommonName, made.Environment, made.ID)
		return printMade(t.out, c.JSON, made, made.ID)
	})
}

func (c deviceCreate) create(ctx context.Context, a *admin.Admin) (admin.Device, error) {
	return a.CreateDevice(ctx, c.Org, admin.NewDevice{
		Environment: c.Authority, Branch: c.Branch, CommonName: c.Name, SerialNumber: c.Serial, InvoiceType: c.Type,
		UnitName: c.Unit, Location: c.Location, Industry: c.Industry, Version: version,
	})
}

// askEnvironment asks on the terminal for the environment of the tax authority.
func askEnvironment(t *console) (string, error) {
	fmt.Fprint(t.err, `No environment of the tax authority is chosen for this installation yet.
  simulator   for trials on this machine; nothing reaches the authority
  simulation  the authority's test portal
  production  tax invoices
The choice is permanent for this database. Environment: `)
	line, err := bufio.NewReader(io.LimitReader(t.in, 100)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the environment: %w", err)
	}
	switch chosen := strings.TrimSpace(line); chosen {
	case "simulator", "simulation", "production":
		return chosen, nil
	}
	return "", admin.ErrNoEnvironment
}

// certification holds the flags of the commands that get a certificate.
type certification struct {
	settings
	ID           string `arg:"" help:"Device ID; see khatm device list."`
	OTP          string `name:"otp" env:"KHATM_OTP" placeholder:"CODE" help:"One-time password of 6 digits from the authority's portal; - reads it from standard input. Not needed with the simulator of a running server."`
	Authority    string `default:"" enum:",simulator,sandbox,simulation,production" env:"KHATM_AUTHORITY" placeholder:"NAME" help:"Environment that the device must belong to; the command fails if it belongs to another."`
	AuthorityURL string `name:"authority-url" env:"KHATM_AUTHORITY_URL" placeholder:"URL" help:"URL of the authority (default: its published address, or the simulator of a running server). To use a separate simulator, give the URL that khatm authority prints."`
}

// certify runs do, which is Onboard or Renew, and prints every status that the
// device reaches.
func (c certification) certify(t *console, anew bool, do func(*admin.Admin, context.Context, string, admin.Certification) (admin.Device, error)) error {
	otp := c.OTP
	if otp == "-" {
		line, err := bufio.NewReader(io.LimitReader(t.in, 100)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the one-time password: %w", err)
		}
		otp = strings.TrimSpace(line)
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		url, otp, err := c.findAuthority(ctx, t, a, otp)
		if err != nil {
			return err
		}
		d, err := do(a, ctx, c.ID, admin.Certification{
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

// findAuthority returns the URL of the authority and the one-time password. For a
// device of the simulator it finds the simulator of a running server and requests
// a password from it, because the simulator has no portal.
func (c certification) findAuthority(ctx context.Context, t *console, a *admin.Admin, otp string) (url, password string, err error) {
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
	t.say("using a one-time password from the server's simulator; for the real authority, get one in the Fatoora portal")
	return at.URL, otp, nil
}

// troubleText returns the details of a problem that follow its first sentence.
func troubleText(t admin.Trouble) string {
	text := "\n  " + t.WhatArabic
	if t.Said != "" {
		text += "\n  details: " + oneLine(t.Said)
	}
	return text + "\nWhat to do: " + t.Next + "\n  " + t.NextArabic
}

type deviceOnboard struct{ certification }

func (c deviceOnboard) Run(t *console) error { return c.certify(t, false, (*admin.Admin).Onboard) }

type deviceRenew struct {
	certification
	Anew bool `help:"Request the certificate as for a new device. Use it if the authority no longer accepts the old one."`
}

func (c deviceRenew) Run(t *console) error { return c.certify(t, c.Anew, (*admin.Admin).Renew) }

type deviceList struct{ orgListing }

func (c deviceList) Run(t *console) error {
	return printOrgList(t, c.orgListing, (*admin.Admin).Devices, "id, status, type, authority, until, documents, name", func(d admin.Device) []any {
		until := ""
		if d.Production != nil {
			until = day(d.Production.NotAfter)
		}
		return []any{d.ID, d.Status, d.InvoiceType, d.Environment, until, d.Counter, d.CommonName}
	})
}

type deviceShow struct {
	listing
	ID string `arg:"" help:"Device ID; see khatm device list."`
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
		[2]string{"documents", strconv.FormatInt(d.Counter, 10)}, [2]string{"submission stopped", d.Parked}, [2]string{"since", day(d.CreatedAt)})...)
}

func troubleCard(of string, t *admin.Trouble) [][2]string {
	if t == nil {
		return nil
	}
	return [][2]string{
		{of + "problem", t.Code + ": " + t.What}, {of + "problem in Arabic", t.WhatArabic}, {of + "details", t.Said},
		{of + "what to do", t.Next}, {of + "what to do in Arabic", t.NextArabic},
	}
}

func validityCard(of string, v *admin.Validity) [2]string {
	if v == nil {
		return [2]string{of, "none"}
	}
	return [2]string{of, fmt.Sprintf("%s to %s (%s, %d days left)", day(v.NotBefore), day(v.NotAfter), v.Expiry, v.DaysLeft)}
}
