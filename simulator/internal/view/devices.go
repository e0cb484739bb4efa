package view

import (
	"slices"
	"time"
)

// Limits of the list of devices.
const (
	maxDevices      = 50
	maxCertificates = 5 // of one device
)

// device is a device with its certificates, newest first.
type device struct {
	Name, VATNumber, Serial, Environment string
	Certificates                         []certificate
	Older                                int // certificates that are not shown
}

// certificate is a certificate of a device.
type certificate struct {
	Kind, State, Tone, RequestID string
	Until                        moment
	Checks                       bool // it is for compliance checks
	Passed, Required             int
}

// devices groups certificates by device, the last certified device first, and
// returns how many devices are left out.
func (l language) devices(all []Certificate, now time.Time) (list []device, more int) {
	type key struct{ environment, vat, serial string }
	at := map[key]int{}
	for _, c := range slices.Backward(all) {
		k := key{c.Environment, c.VATNumber, c.Serial}
		i, known := at[k]
		if !known {
			i = len(at)
			at[k] = i
			if i < maxDevices {
				list = append(list, device{Name: clip(c.Name, 80), VATNumber: clip(c.VATNumber, 20), Serial: clip(c.Serial, 120), Environment: l.environment(c.Environment)})
			}
		}
		if i >= maxDevices {
			continue
		}
		if d := &list[i]; len(d.Certificates) < maxCertificates {
			d.Certificates = append(d.Certificates, l.certificateOf(c, now))
		} else {
			d.Older++
		}
	}
	return list, len(at) - len(list)
}

func (l language) certificateOf(c Certificate, now time.Time) certificate {
	shown := certificate{
		Kind: l.T(c.Kind + "_short"), State: l.T("valid"), Tone: "good", RequestID: c.RequestID, Until: l.momentOf(c.NotAfter),
		Checks: c.Kind == "compliance", Passed: c.Passed, Required: c.Passed + c.Missing,
	}
	switch {
	case !c.Revoked.IsZero():
		shown.State, shown.Tone = l.T("revoked"), "bad"
	case now.After(c.NotAfter):
		shown.State, shown.Tone = l.T("expired"), "warn"
	}
	return shown
}
