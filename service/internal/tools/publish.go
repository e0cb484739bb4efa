package tools

import (
	"slices"

	"khatm/service/internal/wire"
)

// about is the general information in the document.
var about = wire.Info{
	Title:   "Khatm public tools",
	Version: "1.3.0",
	License: "Apache-2.0",
	Description: "Tools that need no API key: calculate VAT, decode a QR code, check an invoice against all rules of the authority, read an invoice from a file and render one, " +
		"and view documents shared by a link. Limited to ten calls per day and IP address; sign in for more.\n\n" +
		"Every response has an `X-Request-ID` to quote when you report a problem.",
	Tags: []wire.Tag{
		{Name: tagTools, Description: "Tools that process the data you send and store nothing."},
		{Name: "Shared links", Description: "What you can see and do with a shared link."},
		{Name: "Lookups", Description: "Code lists below `/v1` that you need to create your first client. Limited to a hundred calls per minute and IP address."},
	},
}

// Publish serves the OpenAPI documents. They include other routes that need no
// key: those of shared links and the lookups.
func (s *Surface) Publish(f *wire.Frame, others []wire.Route) {
	f.Publish(about, Base, "/api/public/", slices.Concat(s.Rows(), others))
}
