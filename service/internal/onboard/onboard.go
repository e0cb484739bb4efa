// Package onboard registers devices with the tax authority: it creates the
// device's key and certificate request, obtains its certificates, submits the
// sample documents for the compliance checks, and renews certificates.
//
// Every state is stored before the next step, so that an interrupted onboarding
// can be resumed. The package accesses the authority, the vault and the
// database through its own interfaces and knows neither HTTP nor SQL.
package onboard

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Keeper stores devices and their enrolments.
type Keeper interface {
	Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error)
	Branches(ctx context.Context, of org.Tenant) ([]org.Branch, error)
	AddDevice(ctx context.Context, by org.Actor, d device.Device) error
	Device(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Device, error)
	Secret(ctx context.Context, of org.Tenant, purpose, owner string) ([]byte, error)
	// Enrolments returns the enrolments of a device, past and current.
	Enrolments(ctx context.Context, of org.Tenant, id uuid.UUID) ([]Enrolment, error)
	// TakeEnrolment starts a turn on an enrolment of a device. The holder of
	// the previous turn can no longer store steps.
	TakeEnrolment(ctx context.Context, by org.Actor, id uuid.UUID, renewal bool) (Enrolment, error)
	// KeepStep stores a step atomically, if the caller still has the turn.
	KeepStep(ctx context.Context, by org.Actor, s Step) error
}

// Vault creates keys, signs with them, and encrypts secrets.
type Vault interface {
	NewDeviceKey(purpose, owner string) (seal.Signer, []byte, error)
	Signer(purpose, owner string, sealed []byte) (seal.Signer, error)
	Seal(purpose, owner string, plain []byte) ([]byte, error)
	Open(purpose, owner string, sealed []byte) ([]byte, error)
}

// Authority issues certificates. It returns a *device.Refusal if repeating the
// request is useless, and a *device.Silence if the result is unknown.
type Authority interface {
	Compliance(ctx context.Context, csr string, otp device.Secret) (device.CSID, error)
	CheckSample(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict
	Production(ctx context.Context, as device.Credentials, requestID string) (device.CSID, error)
	Renew(ctx context.Context, as device.Credentials, csr string, otp device.Secret) (device.CSID, error)
}

// Config configures an Onboarding.
type Config struct {
	Keeper    Keeper
	Vault     Vault
	Authority Authority // nil if devices can only be created
	Version   string    // version of the program, part of the serial numbers of devices
	Now       func() time.Time
	NewID     func() uuid.UUID
}

// Onboarding creates, onboards and renews devices.
type Onboarding struct{ Config }

// New returns an Onboarding.
func New(c Config) *Onboarding { return &Onboarding{c} }

// Purposes for which the vault encrypts the secrets of a device; the owner is
// the device. Secrets of a renewal have the suffix Next until the new
// certificate is in use.
const (
	KeyPurpose        = "device-key"
	CompliancePurpose = "compliance-secret"
	ProductionPurpose = "production-secret"
	Next              = "-next"
)

// Enrolment is the process by which a device gets a certificate: its first one,
// or the next one in a renewal.
type Enrolment struct {
	Device    uuid.UUID
	Renewal   bool
	Turn      int64 // incremented each time a caller takes the turn
	Status    device.Status
	Request   string // certificate request, PEM
	RequestID string // the authority's ID of the compliance certificate
	Token     string // token of the compliance certificate
	Trouble   Trouble
	ChangedAt time.Time // of the last step or turn
}

// attemptTime is after how long without a step an attempt counts as ended.
const attemptTime = 2 * time.Minute

// UnderWay reports whether an attempt may be in progress: the last one stored
// neither its result nor a problem, and its last step is recent.
func (e Enrolment) UnderWay(now time.Time) bool {
	_, unfinished := steps[e.Status]
	return unfinished && e.Turn > 0 && e.Trouble == (Trouble{}) && now.Sub(e.ChangedAt) < attemptTime
}

// Trouble is the last error of an enrolment; zero after a success.
type Trouble struct {
	Code    string
	Message string // text of the authority, or of the service
}

// Step is a change of state of an enrolment, with everything stored together
// with it.
type Step struct {
	Enrolment                     // the new state
	From      device.Status       // the previous state
	Validity  *device.Certificate // validity of a new compliance certificate
	Issued    *Production         // new production certificate of the device
	Secrets   []Secret
	Forget    []string // purposes of secrets to delete
}

// Production is a production certificate of a device.
type Production struct {
	Token    string
	Validity device.Certificate
}

// Secret is a secret of a device, encrypted by the vault.
type Secret struct {
	Purpose string
	Sealed  []byte
}
