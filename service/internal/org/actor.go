package org

import (
	"slices"

	"github.com/google/uuid"
)

// ActorKind says what sort of being does a deed.
type ActorKind string

// The kinds of actor.
const (
	KeyActor      ActorKind = "key"      // a program with an API key
	PersonActor   ActorKind = "person"   // somebody signed in
	OperatorActor ActorKind = "operator" // whoever runs the service, by command
	SystemActor   ActorKind = "system"   // the service by itself
)

// Actor is who does a deed, for which organisation, and from where. The gate
// makes one out of a key or a session, so that nothing behind it need know
// which of the two it was.
type Actor struct {
	Kind    ActorKind
	Tenant  Tenant
	ID      uuid.UUID // of the key or the person; zero for the others
	Name    string    // a key's public name, a person's e-mail; safe to log
	Role    Role
	Scopes  []Scope // of a key; none means all that the role grants
	Address string  // the IP address; empty for commands
	Request string  // the id of the request; empty for commands
}

// May says whether role and scopes cover a scope.
func (a Actor) May(s Scope) bool {
	if !a.Role.Grants(s) {
		return false
	}
	return len(a.Scopes) == 0 || slices.Contains(a.Scopes, s)
}

// Operator is the actor of a command on an organisation.
func Operator(t Tenant, name string) Actor {
	return Actor{Kind: OperatorActor, Tenant: t, Name: name, Role: Admin}
}
