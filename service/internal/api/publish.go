package api

import "khatm/service/internal/wire"

// about is what the document says of itself.
var about = wire.Info{
	Title:   "Khatm API",
	Version: Version,
	License: "Apache-2.0",
	Description: "Khatm is a service for e-invoices in Saudi Arabia. This document describes what a program with an API key can do there: " +
		"the operations below, chapter by chapter.\n\n" +
		"Send your API key as `Authorization: Bearer svc_…`. Every answer carries how your rate window stands and an `X-Request-ID` to ask by.",
	Tags: []wire.Tag{
		{Name: tagInvoices, Description: "Tax invoices, credit and debit notes, advance payment invoices."},
		{Name: tagClients, Description: "The buyers of your invoices."},
		{Name: tagItems, Description: "Your catalogue: what invoices can be written from."},
		{Name: tagDevices, Description: "The signing devices that invoices are issued from."},
		{Name: tagUsage, Description: "What you have used of your plan."},
		{Name: tagReference, Description: "Code lists in English and Arabic. They may be kept for a day."},
	},
}

// Document is the published description of the surface, below the address it
// was read from, in OpenAPI 3.1 and in 3.0.
func (s *Surface) Document() (v31, v30 []byte, err error) {
	return wire.Documents(about, Base, s.Rows())
}

// Publish serves the documents.
func (s *Surface) Publish(f *wire.Frame) error {
	return f.Publish(about, Base, "/api/integrations/", s.Rows())
}
