package org

import "slices"

// Role is the access level of a person or a key.
type Role string

// The roles, from the least permissions to the most.
const (
	ViewInvoice   Role = "ViewInvoice"
	CreateInvoice Role = "CreateInvoice"
	Accountant    Role = "Accountant"
	Admin         Role = "Admin"
)

// Scope is one permission. A role grants several; the scopes of a key restrict
// what its role grants and never extend it.
type Scope string

// The scopes of API keys.
const (
	InvoiceCreate Scope = "invoice.create" // includes clearance-reporting
	InvoiceGet    Scope = "invoice.get"    // includes preview, PDF and reading notes
	NoteCreate    Scope = "note.create"
	ClientCreate  Scope = "client.create" // includes changing a client
	ClientGet     Scope = "client.get"
	ItemCreate    Scope = "item.create" // includes changing an item
	ItemGet       Scope = "item.get"
	DeviceGet     Scope = "device.get"
)

// OutboxGet is the permission to read the e-mails sent for an organisation. Only
// Admin has it, because an e-mail may contain a code that grants access. It
// cannot be given to a key.
const OutboxGet Scope = "outbox.get"

// KeyRoles returns the roles a key can have. Admin is not among them.
func KeyRoles() []Role { return []Role{ViewInvoice, CreateInvoice, Accountant} }

// Scopes returns the scopes a key can be restricted to.
func Scopes() []Scope { return slices.Concat(reading, writing) }

var (
	reading = []Scope{InvoiceGet, ClientGet, ItemGet, DeviceGet}
	writing = []Scope{InvoiceCreate, NoteCreate, ClientCreate, ItemCreate}
)

// Grants reports whether the role includes the scope.
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

// Least returns the lowest role that grants the scope.
func (s Scope) Least() Role {
	for _, r := range KeyRoles() {
		if r.Grants(s) {
			return r
		}
	}
	return Admin
}
