package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
)

// Certification says how a device is led to a certificate.
type Certification struct {
	Environment string              // which the operator means; empty: the device's own
	URL         string              // where the authority is; empty: where its environment is
	OTP         string              // of the authority's portal; empty where none is needed
	Anew        bool                // of a renewal: the authority does not know the old certificate
	Saw         func(status string) // told of every state that is reached
}

// Onboard leads a device to its first certificate, from wherever it is.
func (a *Admin) Onboard(ctx context.Context, id string, c Certification) (Device, error) {
	return a.certify(ctx, id, c, (*onboard.Onboarding).Onboard)
}

// Renew replaces the certificate of an active device.
func (a *Admin) Renew(ctx context.Context, id string, c Certification) (Device, error) {
	return a.certify(ctx, id, c, (*onboard.Onboarding).Renew)
}

func (a *Admin) certify(ctx context.Context, id string, c Certification,
	lead func(*onboard.Onboarding, context.Context, org.Actor, onboard.Order) (device.Device, error),
) (Device, error) {
	d, by, err := a.findDevice(ctx, id)
	if err != nil {
		return Device{}, err
	}
	at, err := c.address(d)
	if err != nil {
		return Device{}, err
	}
	client, err := authority.New(authority.Config{URL: at, Now: a.config.Now})
	if err != nil {
		return Device{}, err
	}
	defer client.Close()
	ring, err := a.sealing(ctx)
	if err != nil {
		return Device{}, err
	}
	o := onboard.New(onboard.Config{Keeper: a.store, Vault: ring, Authority: client, Now: a.config.Now, NewID: a.config.NewID})
	led, err := lead(o, ctx, by, onboard.Order{
		Device: d.ID, OTP: device.NewSecret(c.OTP), Anew: c.Anew,
		Saw: func(s device.Status) { c.Saw(string(s)) },
	})
	return a.deviceOf(led, by.Tenant), err
}

// address is where the device's authority is.
func (c Certification) address(d device.Device) (string, error) {
	if c.Environment != "" && c.Environment != string(d.Environment) {
		return "", fmt.Errorf("the device is one of the authority's %s environment, for ever: leave --authority out", d.Environment)
	}
	at := cmp.Or(c.URL, authority.Base(d.Environment))
	if at == "" {
		return "", errors.New("no simulator runs beside a server of this installation: start khatm serve, or say where the simulator is: khatm authority prints its addresses, and --authority-url takes the one of the simulation")
	}
	return at, nil
}

// Trouble is what went wrong with a device, and what to do, in both languages.
type Trouble struct {
	Code       string `json:"code"`
	What       string `json:"message"`
	WhatArabic string `json:"message_ar"`
	Next       string `json:"next"`
	NextArabic string `json:"next_ar"`
	Said       string `json:"authority_message"` // the authority's own words, or the rule's
}

func troubleOf(t onboard.Trouble) *Trouble {
	if t == (onboard.Trouble{}) {
		return nil
	}
	e := onboard.Explain(t.Code)
	return &Trouble{t.Code, e.What.EN, e.What.AR, e.Next.EN, e.Next.AR, t.Message}
}

// TroubleOf explains an error of Onboard or Renew, if there is a code for it.
func TroubleOf(err error) (Trouble, bool) {
	var told *fault.Error
	if !errors.As(err, &told) || told.Code == "" || told.Fields["next"] == nil {
		return Trouble{}, false
	}
	said, _ := told.Fields["authority_message"].(string)
	return *troubleOf(onboard.Trouble{Code: told.Code, Message: said}), true
}
