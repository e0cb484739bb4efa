// Package onboard is the life of a device: its key and certificate request, its
// certificates from the authority, the samples it shows on the way, and the
// renewal that takes an old certificate's place.
//
// Every state is kept before the next step is taken, so that whoever is killed
// goes on from there. It speaks to the authority, the vault and the database
// through interfaces of its own and knows neither HTTP nor SQL.
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

// Keeper is where devices and their ways to a certificate are kept.
type Keeper interface {
	Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error)
	Branches(ctx context.Context, of org.Tenant) ([]org.Branch, error)
	AddDevice(ctx context.Context, by org.Actor, d device.Device) error
	Device(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Device, error)
	Secret(ctx context.Context, of org.Tenant, purpose, owner string) ([]byte, error)
	// Enrolments are the device's ways that were ever taken.
	Enrolments(ctx context.Context, of org.Tenant, id uuid.UUID) ([]Enrolment, error)
	// TakeEnrolment begins a turn on a device's way to a certificate. Whoever had
	// the turn before can keep nothing more.
	TakeEnrolment(ctx context.Context, by org.Actor, id uuid.UUID, renewal bool) (Enrolment, error)
	// KeepStep keeps a step, all of it or nothing, if the turn is still the
	// caller's.
	KeepStep(ctx context.Context, by org.Actor, s Step) error
}

// Vault makes keys, signs with them, and keeps secrets.
type Vault interface {
	NewDeviceKey(purpose, owner string) (seal.Signer, []byte, error)
	Signer(purpose, owner string, sealed []byte) (seal.Signer, error)
	Seal(purpose, owner string, plain []byte) ([]byte, error)
	Open(purpose, owner string, sealed []byte) ([]byte, error)
}

// Authority is who gives certificates. Its errors are *device.Refusal where
// asking again is no use, and *device.Silence where nothing is known.
type Authority interface {
	Compliance(ctx context.Context, csr string, otp device.Secret) (device.CSID, error)
	CheckSample(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict
	Production(ctx context.Context, as device.Credentials, requestID string) (device.CSID, error)
	Renew(ctx context.Context, as device.Credentials, csr string, otp device.Secret) (device.CSID, error)
}

// Config brings what devices are onboarded with.
type Config struct {
	Keeper    Keeper
	Vault     Vault
	Authority Authority // nil: devices can only be created
	Version   string    // of the program; stands in the serial numbers of devices
	Now       func() time.Time
	NewID     func() uuid.UUID
}

// Onboarding leads devices.
type Onboarding struct{ Config }

// New makes it.
func New(c Config) *Onboarding { return &Onboarding{c} }

// The purposes for which the vault seals what belongs to a device; its owner is
// the device. What a renewal makes has Next behind it until it is in force.
const (
	KeyPurpose        = "device-key"
	CompliancePurpose = "compliance-secret"
	ProductionPurpose = "production-secret"
	Next              = "-next"
)

// Enrolment is a device's way to a certificate: to its first one, or to the
// one that takes its place.
type Enrolment struct {
	Device    uuid.UUID
	Renewal   bool
	Turn      int64 // counts who took it up
	Status    device.Status
	Request   string // the certificate request, PEM
	RequestID string // the authority's number of the compliance certificate
	Token     string // of the compliance certificate
	Trouble   Trouble
}

// Trouble is what last went wrong; zero once something went right.
type Trouble struct {
	Code    string
	Message string // the authority's own words, or ours
}

// Step is one move on the way, and what is kept with it.
type Step struct {
	Enrolment                     // as it stands from now on
	From      device.Status       // as it stood before
	Validity  *device.Certificate // of a new compliance certificate
	Issued    *Production         // what the device issues with from now on
	Secrets   []Secret
	Forget    []string // purposes of secrets that are no longer needed
}

// Production is a production certificate as a device gets it.
type Production struct {
	Token    string
	Validity device.Certificate
}

// Secret is what the vault sealed for a device.
type Secret struct {
	Purpose string
	Sealed  []byte
}
