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

// Certification configures Onboard and Renew.
type Certification struct {
	Environment string              // expected environment of the device; empty for any
	URL         string              // URL of the authority; empty for the published one
	OTP         string              // one-time password of the authority's portal; empty if none is needed
	Anew        bool                // renew as a new device, because the authority rejects the old certificate
	Saw         func(status string) // called with every status that the device reaches
}

// Onboard gets the first certificate of a device. It continues an interrupted
// onboarding.
func (a *Admin) Onboard(ctx context.Context, id string, c Certification) (Device, error) {
	return a.certify(ctx, id, c, (*onboard.Onboarding).Onboard)
}

// Renew replaces the certificate of an active device.
func (a *Admin) Renew(ctx context.Context, id string, c Certification) (Device, error) {
	return a.certify(ctx, id, c, (*onboard.Onboarding).Renew)
}

func (a *Admin) certify(ctx context.Context, id string, c Certification,
	do func(*onboard.Onboarding, context.Context, org.Actor, onboard.Order) (device.Device, error),
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
	ring, err := a.ringToSeal(ctx)
	if err != nil {
		return Device{}, err
	}
	o := onboard.New(onboard.Config{Keeper: a.store, Vault: ring, Authority: client, Now: a.config.Now, NewID: a.config.NewID})
	certified, err := do(o, ctx, by, onboard.Order{
		Device: d.ID, OTP: device.NewSecret(c.OTP), Anew: c.Anew,
		Saw: func(s device.Status) { c.Saw(string(s)) },
	})
	return a.deviceOf(certified, by.Tenant), err
}

// address returns the URL of the device's authority.
func (c Certification) address(d device.Device) (string, error) {
	if c.Environment != "" && c.Environment != string(d.Environment) {
		return "", fmt.Errorf("the device belongs to the authority's %s environment, which cannot be changed: leave out --authority", d.Environment)
	}
	if c.URL != "" {
		if err := authority.CheckURL(d.Environment, c.URL); err != nil {
			return "", fmt.Errorf("--authority-url: %w", err)
		}
	}
	at := cmp.Or(c.URL, authority.Base(d.Environment))
	if at == "" {
		return "", errors.New("no server of this installation runs a simulator: start khatm serve, or give the URL of another simulator with --authority-url (khatm authority prints it, as simulation)")
	}
	return at, nil
}

// Trouble is a problem with a device and what to do about it, in both languages.
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

// TroubleOf returns the problem that an error of Onboard or Renew reports, and
// whether it reports one.
func TroubleOf(err error) (Trouble, bool) {
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Fields["trouble"] == nil {
		return Trouble{}, false
	}
	code, _ := refusal.Fields["trouble"].(string)
	said, _ := refusal.Fields["authority_message"].(string)
	return *troubleOf(onboard.Trouble{Code: code, Message: said}), true
}
