// Package device is the signing connection that invoices are issued from: its
// states, its certificates and its place in the chain. It makes no certificate
// and talks to nobody.
package device

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Status is where a device is on its way to issuing.
type Status string

// The states, in the order of onboarding.
const (
	CSRPending          Status = "csr_pending"
	CSRGenerated        Status = "csr_generated"
	CCSIDPending        Status = "ccsid_pending"
	CCSIDGenerated      Status = "ccsid_generated"
	CCSIDFailed         Status = "ccsid_failed"
	SamplesPending      Status = "sample_invoices_pending"
	SamplesGenerated    Status = "sample_invoices_generated"
	SamplesFailed       Status = "sample_invoices_failed"
	SubmissionPending   Status = "AUTHORITY_Submission_Pending"
	SubmissionCompleted Status = "AUTHORITY_Submission_Completed"
	SubmissionFailed    Status = "AUTHORITY_Submission_Failed"
	PCSIDPending        Status = "pcsid_pending"
	PCSIDGenerated      Status = "pcsid_generated"
	PCSIDFailed         Status = "pcsid_failed"
)

// Statuses are all states, in the order of onboarding.
func Statuses() []Status { return slices.Clone(statuses) }

var statuses = []Status{
	CSRPending, CSRGenerated,
	CCSIDPending, CCSIDGenerated, CCSIDFailed,
	SamplesPending, SamplesGenerated, SamplesFailed,
	SubmissionPending, SubmissionCompleted, SubmissionFailed,
	PCSIDPending, PCSIDGenerated, PCSIDFailed,
}

// What a device may issue.
const (
	StandardOnly   = "1000"
	SimplifiedOnly = "0100"
	Both           = "1100"
)

// Environment is which authority a device is registered with. A device of one
// is nothing to the others.
type Environment string

// The environments.
const (
	Simulator  Environment = "simulator"
	Sandbox    Environment = "sandbox"
	Simulation Environment = "simulation"
	Production Environment = "production"
)

// Environments are all there are.
func Environments() []Environment {
	return []Environment{Simulator, Sandbox, Simulation, Production}
}

// Device is a device as kept.
type Device struct {
	ID           uuid.UUID
	Branch       *uuid.UUID
	Environment  Environment
	CommonName   string
	SerialNumber string
	Location     string
	UnitName     string
	Industry     string
	InvoiceType  string
	Status       Status
	Compliance   *Certificate
	Production   *Certificate
	Token        string    // of the production certificate, as the authority gave it; empty before
	Counter      int64     // of the last document; 0 before the first
	LastHash     string    // of the last document; GenesisHash before the first
	LastIssuedAt time.Time // of the last document; zero before the first
	Parked       bool      // the authority does not know it any more; nothing is sent
	ParkedWhy    string
	Retired      bool // it issues nothing any more; what it has issued is still sent
	CreatedAt    time.Time
}

// GenesisHash stands for the hash of the document before a device's first.
const GenesisHash = "NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=="

// CanIssue says whether the state lets it issue at all.
func (d Device) CanIssue() bool { return d.Status == PCSIDGenerated && !d.Retired }
