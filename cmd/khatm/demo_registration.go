package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"khatm/service/admin"
)

// demoRegistration registers the company of the demo, as an operator would. After
// an interrupted start it finds existing organisations by VAT number and devices by
// name.
type demoRegistration struct {
	admin     *admin.Admin
	simulator simulatorAddress
	kept      *demoKept
}

const demoAdminEmail = "admin@demo.example"

func (h *demoRegistration) register(ctx context.Context, folder *demoFolder) error {
	company, err := h.organisation(ctx, demoCompany())
	if err != nil {
		return err
	}
	h.kept.Organisation, folder.kept.NameArabic = demoOrganisation{company.ID, company.Name}, company.NameArabic
	for _, step := range []func(context.Context, string) error{h.makeKeys, h.makeAdmin, h.makeReasons, h.makeDevices} {
		if err := step(ctx, company.ID.String()); err != nil {
			return fmt.Errorf("set up the demo: %w", err)
		}
	}
	if err := h.makeOther(ctx); err != nil {
		return fmt.Errorf("set up the demo: %w", err)
	}
	folder.kept.Settled = true
	return folder.save()
}

func (h *demoRegistration) organisation(ctx context.Context, wanted admin.Organisation) (admin.Organisation, error) {
	all, err := h.admin.Organisations(ctx)
	if err != nil {
		return wanted, err
	}
	for _, o := range all {
		if o.VATNumber == wanted.VATNumber {
			return o, nil
		}
	}
	wanted.Plan = "business"
	return h.admin.CreateOrganisation(ctx, wanted)
}

func (h *demoRegistration) makeKeys(ctx context.Context, company string) error {
	for role, key := range map[string]*string{
		"ViewInvoice": &h.kept.Keys.ViewInvoice, "CreateInvoice": &h.kept.Keys.CreateInvoice, "Accountant": &h.kept.Keys.Accountant,
	} {
		made, err := h.admin.CreateKey(ctx, company, "Demo "+role, role, nil)
		if err != nil {
			return err
		}
		*key = made.Text
	}
	return nil
}

func (h *demoRegistration) makeAdmin(ctx context.Context, company string) error {
	people, err := h.admin.People(ctx, company)
	if err != nil {
		return err
	}
	h.kept.Admin.Email = demoAdminEmail
	if len(people) > 0 {
		h.kept.Admin.Password, err = h.admin.SetPassword(ctx, demoAdminEmail, "")
		return err
	}
	_, h.kept.Admin.Password, err = h.admin.CreatePerson(ctx, company, admin.Person{Email: demoAdminEmail, Name: "Demo Admin", Role: "Admin"}, "")
	return err
}

// makeReasons creates a reason for credit notes, one that is not active, and payment
// terms, which are the reason of an invoice.
func (h *demoRegistration) makeReasons(ctx context.Context, company string) error {
	for _, r := range []struct {
		text string
		at   *uuid.UUID
	}{
		{"إرجاع بضاعة تالفة", &h.kept.Reasons.Active},
		{"خصم مجاملة للعميل (سبب لم يعد مستخدمًا)", &h.kept.Reasons.Inactive},
		{"الدفع خلال 30 يومًا من تاريخ الفاتورة", &h.kept.Terms},
	} {
		made, err := h.admin.CreateReason(ctx, company, r.text, nil)
		if err != nil {
			return err
		}
		*r.at = made.ID
	}
	return h.admin.SetReason(ctx, company, h.kept.Reasons.Inactive.String(), false)
}

// makeDevices creates and onboards a device of each type.
func (h *demoRegistration) makeDevices(ctx context.Context, company string) error {
	known, err := h.admin.Devices(ctx, company)
	if err != nil {
		return err
	}
	byName := map[string]admin.Device{}
	for _, d := range known {
		byName[d.CommonName] = d
	}
	h.kept.Devices = nil
	for _, wanted := range []admin.NewDevice{
		{CommonName: "Demo office", InvoiceType: "1000"}, {CommonName: "Demo till", InvoiceType: "0100"}, {CommonName: "Demo both", InvoiceType: "1100"},
	} {
		wanted.Environment, wanted.Industry, wanted.Version = "simulator", "Retail", version
		d, made := byName[wanted.CommonName]
		if !made {
			if d, err = h.admin.CreateDevice(ctx, company, wanted); err != nil {
				return err
			}
		}
		if d, err = h.onboard(ctx, d); err != nil {
			return fmt.Errorf("device %s: %w", wanted.CommonName, err)
		}
		h.kept.Devices = append(h.kept.Devices, demoDevice{d.ID, d.Seller, d.InvoiceType, d.Status})
	}
	return nil
}

func (h *demoRegistration) onboard(ctx context.Context, d admin.Device) (admin.Device, error) {
	if d.Production != nil {
		return d, nil
	}
	seller, err := h.admin.Organisation(ctx, d.Seller.String())
	if err != nil {
		return d, err
	}
	otp, err := h.simulator.password(ctx, seller.VATNumber)
	if err != nil {
		return d, err
	}
	onboarded, err := h.admin.Onboard(ctx, d.ID.String(), admin.Certification{URL: h.simulator.URL, OTP: otp, Saw: func(string) {}})
	if trouble, known := admin.TroubleOf(err); known {
		return d, fmt.Errorf("%s %s", trouble.What, strings.TrimSpace(trouble.Said))
	}
	return onboarded, err
}

// makeOther creates a second organisation, to show that organisations cannot see
// each other's data.
func (h *demoRegistration) makeOther(ctx context.Context) error {
	other, err := h.organisation(ctx, demoNeighbour())
	if err != nil {
		return err
	}
	key, err := h.admin.CreateKey(ctx, other.ID.String(), "Demo", "CreateInvoice", nil)
	h.kept.Other = demoOther{other.ID, key.Text}
	return err
}

// device returns the id of the device of an invoice type, or uuid.Nil.
func (c demoCredentials) device(kind string) uuid.UUID {
	for _, d := range c.Devices {
		if d.Type == kind {
			return d.ID
		}
	}
	return uuid.Nil
}
