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

// The scopes of people only. They cannot be given to a key.
const (
	AttentionGet  Scope = "attention.get"
	CompanyChange Scope = "company.change" // includes branches and the logo
	CompanyGet    Scope = "company.get"
	DeviceManage  Scope = "device.manage"
	EarlierCreate Scope = "earlier.create" // references to invoices of another system
	ImportCreate  Scope = "import.create"
	KeyManage     Scope = "key.manage"
	MemberManage  Scope = "member.manage" // includes invitations
	OutboxGet     Scope = "outbox.get"
	PaymentCreate Scope = "payment.create" // includes refunds and reversals
	PaymentGet    Scope = "payment.get"    // includes statements
	ReasonGet     Scope = "reason.get"
	ReasonManage  Scope = "reason.manage"
	TrailGet      Scope = "trail.get"
	ViewManage    Scope = "view.manage" // saved views of lists
)

// personal contains the lowest role that grants each scope of people only. An
// e-mail may contain a code that grants access, so only Admin reads the outbox.
var personal = map[Scope]Role{
	AttentionGet:  ViewInvoice,
	CompanyChange: Admin,
	CompanyGet:    ViewInvoice,
	DeviceManage:  Admin,
	EarlierCreate: Accountant,
	ImportCreate:  Accountant,
	KeyManage:     Admin,
	MemberManage:  Admin,
	OutboxGet:     Admin,
	PaymentCreate: Accountant,
	PaymentGet:    ViewInvoice,
	ReasonGet:     ViewInvoice,
	ReasonManage:  Accountant,
	TrailGet:      Admin,
	ViewManage:    ViewInvoice,
}

// Personal reports whether only people can have the scope.
func (s Scope) Personal() bool { return personal[s] != "" }

// KeyRoles returns the roles a key can have. Admin is not among them.
func KeyRoles() []Role { return slices.Clone(roles[:len(roles)-1]) }

// Scopes returns the scopes a key can be restricted to.
func Scopes() []Scope { return slices.Concat(reading, writing) }

var (
	reading = []Scope{InvoiceGet, ClientGet, ItemGet, DeviceGet}
	writing = []Scope{InvoiceCreate, NoteCreate, ClientCreate, ItemCreate}
)

// roles contains the roles, from the least permissions to the most. Accountant has
// the same scopes of keys as CreateInvoice, and more scopes of people.
var roles = []Role{ViewInvoice, CreateInvoice, Accountant, Admin}

// Grants reports whether the role includes the scope.
func (r Role) Grants(s Scope) bool {
	least := s.Least()
	return least != "" && slices.Index(roles, r) >= slices.Index(roles, least)
}

// Includes reports whether the role has all permissions of another.
func (r Role) Includes(other Role) bool {
	return slices.Index(roles, r) >= slices.Index(roles, other)
}

// Least returns the lowest role that grants the scope, or "" for an unknown scope.
func (s Scope) Least() Role {
	switch {
	case slices.Contains(reading, s):
		return ViewInvoice
	case slices.Contains(writing, s):
		return CreateInvoice
	}
	return personal[s]
}
