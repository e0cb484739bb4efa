package org

import (
	"time"

	"github.com/google/uuid"
)

// Status says whether an organisation is served.
type Status string

// The states of an organisation.
const (
	Active      Status = "active"
	Suspended   Status = "suspended"   // its calls are refused with 403
	Deactivated Status = "deactivated" // its keys are unknown: 401
)

// Organisation is a business that issues invoices: the seller.
type Organisation struct {
	ID             uuid.UUID
	Name           string
	NameArabic     string
	VATNumber      string
	Identification Identification
	Address
	Logo      string // where the file is kept; empty: none
	Status    Status
	Plan      string // slug
	CreatedAt time.Time
}

// Branch is a place of an organisation. A device tied to it issues with its
// name, number and address.
type Branch struct {
	ID             uuid.UUID
	Name           string
	Identification Identification
	Address
	CreatedAt time.Time
}
