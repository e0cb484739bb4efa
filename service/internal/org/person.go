package org

import (
	"time"

	"github.com/google/uuid"
)

// Person is a user who can sign in.
type Person struct {
	ID        uuid.UUID
	Email     string
	Name      string
	Disabled  bool
	CreatedAt time.Time
}

// Member is a person with a role in an organisation.
type Member struct {
	Person
	Role Role
	Keys int // active API keys that the person has created

	SecondFactor bool       // the account has an active one
	LastSignIn   *time.Time // nil if it is not known
}

// Membership is a person's role in an organisation.
type Membership struct {
	Organisation     uuid.UUID
	OrganisationName string
	ArabicName       string // of the organisation; may be empty
	Status           Status
	Plan             Plan
	Role             Role
}
