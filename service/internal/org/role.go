package org

import "slices"

// Role is the access level of a person or a key.
type Role string

// The roles, the least first.
const (
	ViewInvoice   Role = "ViewInvoice"
	CreateInvoice Role = "CreateInvoice"
	Accountant    Role = "Accountant"
	Admin         Role = "Admin"
)

// Scope names one thing that may be done. A role grants some; the scopes of a
// key narrow what its role grants and never widen it.
type Scope string

// The scopes of the key surface.
const (
	InvoiceCreate Scope = "invoice.create" // also clearance-reporting
	InvoiceGet    Scope = "invoice.get"    // also preview, PDF, reading notes
	NoteCreate    Scope = "note.create"
	ClientCreate  Scope = "client.create" // also changing one
	ClientGet     Scope = "client.get"
	ItemCreate    Scope = "item.create" // also changing one
	ItemGet       Scope = "item.get"
	DeviceGet     Scope = "device.get"
)

// OutboxGet is to read the letters of an organisation. It is an admin's alone:
// a letter may hold a code that opens something. No key is narrowed to it.
const OutboxGet Scope = "outbox.get"

// KeyRoles are the roles a key can be given. Admin is not among them.
func KeyRoles() []Role { return []Role{ViewInvoice, CreateInvoice, Accountant} }

// Scopes are all scopes a key can be narrowed to.
func Scopes() []Scope { return slices.Concat(reading, writing) }

var (
	reading = []Scope{InvoiceGet, ClientGet, ItemGet, DeviceGet}
	writing = []Scope{InvoiceCreate, NoteCreate, ClientCreate, ItemCreate}
)

// Grants says whether the role covers a scope.
func (r Role) Grants(s Scope) bool {
	switch r {
	case ViewInvoice:
		return slices.Contains(reading, s)
	case CreateInvoice, Accountant:
		return slices.Contains(reading, s) || slices.Contains(writing, s)
	case Admin:
		return s == OutboxGet || slices.Contains(reading, s) || slices.Contains(writing, s)
	}
	return false
}

// Least is the lowest role that grants a scope.
func (s Scope) Least() Role {
	for _, r := range KeyRoles() {
		if r.Grants(s) {
			return r
		}
	}
	return Admin
}
