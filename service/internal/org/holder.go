package org

// Holder is who stands behind an API key that was found and fits.
type Holder struct {
	Actor  Actor
	Status Status // of the organisation
	Plan   Plan
}

// Visitor is who stands behind a session, and the organisations that person
// reaches.
type Visitor struct {
	Person      Person
	Memberships []Membership
}
