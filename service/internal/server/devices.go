package server

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/app"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
)

// devices is what the app needs to manage devices.
type devices struct{ *Server }

// onboarding returns the onboarding of devices with the present connection to the
// authority.
func (d devices) onboarding() *onboard.Onboarding {
	c := onboard.Config{Keeper: d.store, Vault: d.vault, Version: api.Version, Now: d.config.Now, NewID: d.newID}
	if client := d.client(); client != nil {
		c.Authority = client
	}
	return onboard.New(c)
}

// Create adds a device of the environment of the installation.
func (d devices) Create(ctx context.Context, by org.Actor, wanted onboard.NewDevice) (device.Device, error) {
	if wanted.Environment = d.Environment(); wanted.Environment == "" {
		return device.Device{}, fault.New(fault.EnvironmentRequired, "No environment of the tax authority is chosen for this installation. An Admin chooses it in the set-up; the choice is permanent.")
	}
	return d.onboarding().Create(ctx, by, wanted)
}

// FindDevices returns a page of the devices of an organisation.
func (d devices) FindDevices(ctx context.Context, of org.Tenant, search string, page org.Page) (org.List[device.Device], error) {
	return d.store.FindDevices(ctx, of, search, page)
}

// Waiting returns the documents of devices that the authority has not answered.
func (d devices) Waiting(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]device.Waiting, error) {
	return d.store.Waiting(ctx, of, ids)
}

// State returns a device with the state of its onboarding and renewal.
func (d devices) State(ctx context.Context, of org.Tenant, id uuid.UUID) (state app.DeviceState, err error) {
	// What runs is read first: if nothing does, the rest is the result.
	state.Running = d.enrolling.has(id)
	if state.Device, err = d.store.Device(ctx, of, id); err != nil {
		return state, err
	}
	if state.Enrolments, err = d.store.Enrolments(ctx, of, id); err != nil {
		return state, err
	}
	waiting, err := d.store.Waiting(ctx, of, []uuid.UUID{id})
	if err != nil {
		return state, err
	}
	state.Waiting = waiting[id]
	if d.config.Database != "" { // another server may be at work
		for _, e := range state.Enrolments {
			state.Running = state.Running || e.UnderWay(d.config.Now())
		}
	}
	if !state.Device.Retired && !d.hasPasswords() {
		state.NeedsOTP, err = d.onboarding().NeedsPassword(ctx, of, state.Device, state.Enrolments)
	}
	return state, err
}

// Retire retires a device permanently, unless it is being onboarded or renewed.
func (d devices) Retire(ctx context.Context, by org.Actor, id uuid.UUID) error {
	state, err := d.State(ctx, by.Tenant, id)
	if err != nil {
		return err
	}
	if state.Running {
		return errEnrolling()
	}
	return d.store.RetireDevice(ctx, by, id, d.config.Now())
}

// Resume tries a parked device with its next document now.
func (d devices) Resume(ctx context.Context, by org.Actor, id uuid.UUID) error {
	return d.store.ProbeDevice(ctx, by, id, d.config.Now())
}
