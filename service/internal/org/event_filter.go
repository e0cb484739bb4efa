package org

import "time"

// EventFilter selects entries of an audit trail. A zero field selects all.
type EventFilter struct {
	Action  string
	Actor   string
	Subject string
	From    time.Time
	Until   time.Time // exclusive
}
