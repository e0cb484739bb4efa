package org

import "github.com/google/uuid"

// Tenant is the organisation whose rows may be read and written. Every query on
// an organisation's data has a Tenant parameter, so that no query can read the
// data of all organisations. The zero Tenant belongs to no organisation and
// matches no rows.
type Tenant struct{ id uuid.UUID }

// TenantOf returns the tenant of an organisation. Package wire derives the id
// from a credential, and operator commands from the organisation the operator
// named; it must never come from the body of a request.
func TenantOf(organisation uuid.UUID) Tenant { return Tenant{organisation} }

// ID returns the id of the organisation.
func (t Tenant) ID() uuid.UUID { return t.id }

// IsZero reports whether the tenant has no organisation.
func (t Tenant) IsZero() bool { return t.id == uuid.Nil }
