package tools

import (
	"slices"

	"khatm/service/internal/wire"
)

// about is what the document says of itself.
var about = wire.Info{
	Title:   "Khatm public tools",
	Version: "1.3.0",
	License: "Apache-2.0",
	Description: "What anybody can do without a key: compute VAT, read a QR code, hold an invoice against every rule of the authority, read and draw one; " +
		"and look at what was shared by a link. Ten calls a day from an address are free; sign in for more.\n\n" +
		"Every answer carries an `X-Request-ID` to ask by.",
	Tags: []wire.Tag{
		{Name: tagTools, Description: "They compute, read and draw what they are given, and keep nothing."},
		{Name: "Shared links", Description: "What the holder of a link can see and do."},
		{Name: "Lookups", Description: "Lists that a first client is written from, below `/v1`. A hundred calls a minute from an address."},
	},
}

// Publish serves the documents, which show others too that need no key: the
// endpoints of shared links and the lookups of the key surface. Nobody is
// counted for reading them.
func (s *Surface) Publish(f *wire.Frame, others []wire.Route) error {
	return f.Publish(about, Base, "/api/public/", slices.Concat(s.Rows(), others))
}
