package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
)

// Device is a device with its certificates.
type Device struct {
	ID           uuid.UUID  `json:"device_id"`
	Seller       uuid.UUID  `json:"seller_id"`
	CommonName   string     `json:"common_name"`
	SerialNumber string     `json:"serial_number"`
	Location     string     `json:"location"`
	UnitName     string     `json:"unit_name"`
	Industry     string     `json:"industry"`
	InvoiceType  string     `json:"invoice_type"`
	Branch       *uuid.UUID `json:"branch_id"`
	Environment  string     `json:"environment"`
	Status       string     `json:"device_status"`
	Trouble      *Trouble   `json:"trouble"` // last problem of its onboarding
	Compliance   *Validity  `json:"CSIDCertificateData"`
	Production   *Validity  `json:"PSIDCertificateData"`
	Renewal      *Renewal   `json:"renewal"` // nil unless a renewal is in progress
	Counter      int64      `json:"counter"`
	LastHash     string     `json:"last_hash"`
	Parked       string     `json:"parked"` // why its documents are not sent; empty if they are
	CreatedAt    time.Time  `json:"created_at"`
}

// Validity is the validity period of a certificate.
type Validity struct {
	NotBefore time.Time `json:"not_valid_before"`
	NotAfter  time.Time `json:"not_valid_after"`
	DaysLeft  int       `json:"days_until_expiry"`
	Expiry    string    `json:"expiry_status"`
}

// Renewal is the state of a renewal in progress.
type Renewal struct {
	Status  string   `json:"status"`
	Trouble *Trouble `json:"trouble"`
}

func (a *Admin) deviceOf(d device.Device, of org.Tenant) Device {
	shown := Device{
		ID: d.ID, Seller: of.ID(), CommonName: d.CommonName, SerialNumber: d.SerialNumber, Location: d.Location, UnitName: d.UnitName,
		Industry: d.Industry, InvoiceType: d.InvoiceType, Branch: d.Branch, Environment: string(d.Environment), Status: string(d.Status),
		Compliance: a.validity(d.Compliance), Production: a.validity(d.Production),
		Counter: d.Counter, LastHash: d.LastHash, CreatedAt: riyadh(d.CreatedAt),
	}
	if d.Parked {
		shown.Parked = d.ParkedWhy
	}
	return shown
}

func (a *Admin) validity(c *device.Certificate) *Validity {
	if c == nil {
		return nil
	}
	now := a.config.Now()
	return &Validity{NotBefore: riyadh(c.NotBefore), NotAfter: riyadh(c.NotAfter), DaysLeft: c.DaysLeft(now), Expiry: string(c.Expiry(now))}
}

// NewDevice describes a device to create. CreateDevice fills in empty fields.
type NewDevice struct {
	Environment  string // empty for the environment of the installation
	Branch       string // id; empty for none
	CommonName   string
	SerialNumber string
	InvoiceType  string
	UnitName     string
	Location     string
	Industry     string
	Version      string // version of the program, part of the serial number
}

// CreateDevice creates a device of an organisation. The device must be onboarded
// before it can issue.
func (a *Admin) CreateDevice(ctx context.Context, organisation string, wanted NewDevice) (Device, error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return Device{}, err
	}
	order := onboard.NewDevice{
		CommonName: wanted.CommonName, SerialNumber: wanted.SerialNumber, InvoiceType: wanted.InvoiceType,
		UnitName: wanted.UnitName, Location: wanted.Location, Industry: wanted.Industry,
	}
	if wanted.Branch != "" {
		id, err := uuid.Parse(wanted.Branch)
		if err != nil {
			return Device{}, noBranch(wanted.Branch, organisation)
		}
		order.Branch = &id
	}
	if order.Environment, err = a.assignEnvironment(ctx, device.Environment(wanted.Environment)); err != nil {
		return Device{}, err
	}
	made, err := onboard.New(onboard.Config{
		Keeper: a.store, Version: wanted.Version, Now: a.config.Now, NewID: a.config.NewID,
	}).Create(ctx, by, order)
	if wanted.Branch != "" && fault.KindOf(err) == fault.NotFound {
		return Device{}, noBranch(wanted.Branch, organisation)
	}
	return a.deviceOf(made, by.Tenant), err
}

func noBranch(id, organisation string) error {
	return fmt.Errorf("the organisation has no branch %s: see khatm branch list --org %s", id, organisation)
}

// ErrNoEnvironment means that the environment of the tax authority must be chosen
// first.
var ErrNoEnvironment = errors.New("no environment of the tax authority is chosen for this installation, and it cannot be changed later: give --authority simulator (for trials on this machine), simulation (the authority's test portal) or production")

// assignEnvironment assigns the installation to an environment, if it has none
// yet, and returns its environment. It rejects another environment, because the
// server of this installation could not use the device.
func (a *Admin) assignEnvironment(ctx context.Context, to device.Environment) (device.Environment, error) {
	kept, err := a.store.Environment(ctx)
	switch {
	case err != nil:
		return "", err
	case to == "" && kept == "":
		return "", ErrNoEnvironment
	case to == "":
		to = kept
	}
	if kept != "" && kept != to {
		return "", fmt.Errorf("this installation belongs to the authority's %s environment: leave out --authority, or use a separate installation for %s", kept, to)
	}
	return to, a.store.Stamp(ctx, to)
}

// Devices returns the devices of an organisation, newest first.
func (a *Admin) Devices(ctx context.Context, organisation string) ([]Device, error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return nil, err
	}
	all := []Device{}
	for page := (org.Page{Size: 100, Number: 1}); ; {
		list, err := a.store.Devices(ctx, by.Tenant, page)
		if err != nil {
			return nil, err
		}
		for _, d := range list.Rows {
			all = append(all, a.deviceOf(d, by.Tenant))
		}
		if page.After = list.Next; list.Next == uuid.Nil {
			return all, nil
		}
	}
}

// Device returns a device with the state of its onboarding and its renewal.
func (a *Admin) Device(ctx context.Context, id string) (Device, error) {
	d, by, err := a.findDevice(ctx, id)
	if err != nil {
		return Device{}, err
	}
	ways, err := a.store.Enrolments(ctx, by.Tenant, d.ID)
	shown := a.deviceOf(d, by.Tenant)
	for _, w := range ways {
		switch {
		case !w.Renewal:
			shown.Trouble = troubleOf(w.Trouble)
		case w.Status != device.PCSIDGenerated:
			shown.Renewal = &Renewal{Status: string(w.Status), Trouble: troubleOf(w.Trouble)}
		}
	}
	return shown, err
}

// errFound ends the search of findDevice.
var errFound = errors.New("found")

// findDevice finds a device in any organisation and returns it with the actor on
// that organisation.
func (a *Admin) findDevice(ctx context.Context, id string) (found device.Device, by org.Actor, err error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return found, by, fmt.Errorf("%q is not a device ID: see khatm device list --org ID", id)
	}
	err = a.eachOrganisation(ctx, func(o org.Organisation) error {
		d, err := a.store.Device(ctx, org.TenantOf(o.ID), parsed)
		switch {
		case fault.KindOf(err) == fault.NotFound:
			return nil
		case err != nil:
			return err
		}
		found, by = d, a.by(org.TenantOf(o.ID))
		return errFound
	})
	switch {
	case errors.Is(err, errFound):
		return found, by, nil
	case err == nil:
		err = fmt.Errorf("there is no device %s: see khatm device list --org ID", id)
	}
	return found, by, err
}

// ReplaceDevice creates a device like a retired one, with a new name and serial
// number. The new device must be onboarded before it can issue.
func (a *Admin) ReplaceDevice(ctx context.Context, id, version string) (Device, error) {
	old, by, err := a.findDevice(ctx, id)
	if err != nil {
		return Device{}, err
	}
	wanted := NewDevice{
		Environment: string(old.Environment), CommonName: old.CommonName + " 2", InvoiceType: old.InvoiceType,
		UnitName: old.UnitName, Location: old.Location, Industry: old.Industry, Version: version,
	}
	if old.Branch != nil {
		wanted.Branch = old.Branch.String()
	}
	return a.CreateDevice(ctx, by.Tenant.ID().String(), wanted)
}
