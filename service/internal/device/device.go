// Package device models the devices that issue invoices: their onboarding
// states, their certificates and the end of their hash chains. It neither
// creates certificates nor contacts the authority.
package device

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Status is the onboarding status of a device.
type Status string

// Statuses, in the order of onboarding.
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

// Statuses returns all statuses, in the order of onboarding.
func Statuses() []Status { return slices.Clone(statuses) }

var statuses = []Status{
	CSRPending, CSRGenerated,
	CCSIDPending, CCSIDGenerated, CCSIDFailed,
	SamplesPending, SamplesGenerated, SamplesFailed,
	SubmissionPending, SubmissionCompleted, SubmissionFailed,
	PCSIDPending, PCSIDGenerated, PCSIDFailed,
}

// Invoice types: the documents that a device may issue.
const (
	StandardOnly   = "1000"
	SimplifiedOnly = "0100"
	Both           = "1100"
)

// Environment is an environment of the authority. A device is registered in
// exactly one.
type Environment string

// Environments of the authority, and our simulator.
const (
	Simulator  Environment = "simulator"
	Sandbox    Environment = "sandbox"
	Simulation Environment = "simulation"
	Production Environment = "production"
)

// Environments returns all environments.
func Environments() []Environment {
	return []Environment{Simulator, Sandbox, Simulation, Production}
}

// Waiting are the documents of a device that the authority has not answered.
type Waiting struct {
	Count  int
	Oldest time.Time // when the first of them was issued; zero if there are none
}

// Device is a stored device.
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
	Token        string    // production certificate, exactly as issued by the authority; empty before onboarding
	Counter      int64     // of the last document; 0 before the first
	LastHash     string    // of the last document; GenesisHash before the first
	LastIssuedAt time.Time // of the last document; zero before the first
	Parked       bool      // the authority refuses its credentials, so nothing is sent
	ParkedWhy    string
	Retired      bool // no longer issues; its issued documents are still sent
	CreatedAt    time.Time
}

// GenesisHash is the previous hash of the first document of a device.
const GenesisHash = "NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=="

// CanIssue reports whether the status of the device allows issuing.
func (d Device) CanIssue() bool { return d.Status == PCSIDGenerated && !d.Retired }
