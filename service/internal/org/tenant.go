package org

import "github.com/google/uuid"

// Tenant is the organisation whose rows may be read and written. Every query
// on an organisation's data takes one, so that none can be written without
// saying whose data it is. The zero Tenant is nobody's and finds nothing.
type Tenant struct{ id uuid.UUID }

// TenantOf makes the tenant of an organisation. The gate makes it from a
// credential and operator commands from what the operator named; nothing that
// a caller sends may become one.
func TenantOf(organisation uuid.UUID) Tenant { return Tenant{organisation} }

// ID is the organisation's id.
func (t Tenant) ID() uuid.UUID { return t.id }

// IsZero says whether there is no organisation.
func (t Tenant) IsZero() bool { return t.id == uuid.Nil }
