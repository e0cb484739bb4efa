package org

import "time"

// Holder is who stands behind an API key that was found and fits.
type Holder struct {
	Actor  Actor
	Status Status // of the organisation
	Used   Usage  // of the plan, this month
	Calls  int    // counted in the window that the key was asked for with; 0 if they are counted elsewhere
}

// Visitor is who stands behind a session, and the organisations that person
// reaches.
type Visitor struct {
	Person      Person
	Memberships []Membership
	Until       time.Time // when the session ends
}
