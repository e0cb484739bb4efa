package onboard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// NewDevice describes a device to create. Empty fields are filled in where
// possible.
type NewDevice struct {
	Environment  device.Environment
	Branch       *uuid.UUID // the device uses the number and address of this branch
	CommonName   string     // unique within the organisation
	SerialNumber string     // 1-…|2-…|3-…; "" to generate one
	InvoiceType  string     // 1000, 0100 or 1100
	UnitName     string     // "" for the name of the branch or organisation
	Location     string     // "" for the address of the branch or organisation
	Industry     string
}

// Create creates a device. The device cannot issue invoices until it is onboarded.
func (o *Onboarding) Create(ctx context.Context, by org.Actor, wanted NewDevice) (device.Device, error) {
	owner, err := o.Keeper.Organisation(ctx, by.Tenant)
	if err != nil {
		return device.Device{}, err
	}
	branch, err := o.branch(ctx, by.Tenant, wanted.Branch)
	if err != nil {
		return device.Device{}, err
	}
	if wanted.Branch != nil && !branch.Active {
		return device.Device{}, fault.Wrong(fault.Problem{Path: "branch_id", Message: "must be an active branch", MessageAR: "يجب أن يكون الفرع نشطًا."})
	}
	d := device.Device{
		ID: o.NewID(), Branch: wanted.Branch, Environment: wanted.Environment,
		CommonName: strings.TrimSpace(wanted.CommonName), SerialNumber: strings.TrimSpace(wanted.SerialNumber),
		InvoiceType: wanted.InvoiceType, UnitName: strings.TrimSpace(wanted.UnitName),
		Location: strings.TrimSpace(wanted.Location), Industry: strings.TrimSpace(wanted.Industry),
		Status: device.CSRPending, LastHash: device.GenesisHash, CreatedAt: o.Now(),
	}
	fill(&d, owner, branch, o.Version)
	problems := checkUnit(unit(owner, d))
	if !slices.Contains(device.Environments(), d.Environment) {
		problems = append(problems, fault.Problem{Path: "environment", Message: "must be simulator, sandbox, simulation or production", MessageAR: fmt.Sprintf(fault.OneOfAR, "simulator، sandbox، simulation، production")})
	}
	if problems != nil {
		return device.Device{}, fault.Wrong(problems...)
	}
	return d, o.Keeper.AddDevice(ctx, by, d)
}

// fill sets the fields that were left empty.
func fill(d *device.Device, o org.Organisation, branch org.Branch, version string) {
	address, name := o.Address, organisationName(o)
	if branch.ID != uuid.Nil {
		address, name = branch.Address, fitting(branch.Name)
	}
	if d.SerialNumber == "" {
		d.SerialNumber = serial(version, d.ID.String())
	}
	// In a VAT group the unit name must be the member's TIN, which is not known
	// here.
	if d.UnitName == "" && !inGroup(o.VATNumber) {
		d.UnitName = name
	}
	if d.Location == "" {
		d.Location = fitting(strings.Join([]string{address.BuildingNumber, address.Street, address.District, address.City}, " "))
	}
}

// inGroup reports whether a VAT number belongs to a VAT group: its 11th digit
// is 1.
func inGroup(vat string) bool { return len(vat) == 15 && vat[10] == '1' }

// branch returns the branch of a device, or an empty one if id is nil.
func (o *Onboarding) branch(ctx context.Context, of org.Tenant, id *uuid.UUID) (org.Branch, error) {
	if id == nil {
		return org.Branch{}, nil
	}
	branches, err := o.Keeper.Branches(ctx, of)
	if err != nil {
		return org.Branch{}, err
	}
	for _, b := range branches {
		if b.ID == *id {
			return b, nil
		}
	}
	return org.Branch{}, fault.Missing("Branch")
}
