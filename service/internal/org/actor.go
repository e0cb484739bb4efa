package org

import (
	"slices"

	"github.com/google/uuid"
)

// ActorKind is the kind of an actor.
type ActorKind string

// The kinds of actor.
const (
	KeyActor      ActorKind = "key"      // a program with an API key
	PersonActor   ActorKind = "person"   // a signed-in person
	OperatorActor ActorKind = "operator" // the operator, on the command line
	SystemActor   ActorKind = "system"   // the service itself
)

// Actor identifies who performs an action, for which organisation, and from
// where. Package wire creates it from a key or a session, so that the other
// packages need not know which of the two was used.
type Actor struct {
	Kind    ActorKind
	Tenant  Tenant
	ID      uuid.UUID // of the key or the person; zero for the others
	Name    string    // public name of a key or e-mail of a person; safe to log
	Role    Role
	Scopes  []Scope // of a key; empty means everything the role grants
	Address string  // the IP address; empty for commands
	Request string  // the id of the request; empty for commands
}

// May reports whether the role and the scopes of the actor include s. A key never
// has a scope of people only.
func (a Actor) May(s Scope) bool {
	if !a.Role.Grants(s) || a.Kind == KeyActor && s.Personal() {
		return false
	}
	return len(a.Scopes) == 0 || slices.Contains(a.Scopes, s)
}

// Operator returns the actor for a command that acts on an organisation.
func Operator(t Tenant, name string) Actor {
	return Actor{Kind: OperatorActor, Tenant: t, Name: name, Role: Admin}
}
