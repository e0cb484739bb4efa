package org

import "time"

// Holder is the identity behind a valid API key.
type Holder struct {
	Actor  Actor
	Status Status // of the organisation
	Used   Usage  // of the plan, this month
	Calls  int    // calls in the rate window of the lookup; 0 if they are counted elsewhere
}

// Visitor is the person behind a session and the organisations they belong to.
type Visitor struct {
	Person      Person
	Memberships []Membership
	Until       time.Time // when the session ends
}
