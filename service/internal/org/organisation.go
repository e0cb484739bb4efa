package org

import (
	"time"

	"github.com/google/uuid"
)

// Status is the state of an organisation.
type Status string

// The states of an organisation.
const (
	Active      Status = "active"
	Suspended   Status = "suspended"   // its calls are refused with 403
	Deactivated Status = "deactivated" // its keys are treated as unknown: 401
)

// Organisation is a business that issues invoices: the seller.
type Organisation struct {
	ID             uuid.UUID
	Name           string
	NameArabic     string
	VATNumber      string
	Identification Identification
	Address
	Settings  Settings
	Logo      string // path of the stored file; empty if there is none
	Status    Status
	Plan      string // slug
	CreatedAt time.Time
}

// Branch is a location of an organisation. Documents of a device that belongs to a
// branch show the registration number and address of the branch.
type Branch struct {
	ID             uuid.UUID
	Name           string
	Identification Identification
	Address
	Active    bool // new devices can belong to it
	CreatedAt time.Time
}
