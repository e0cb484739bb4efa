package api

import "khatm/service/internal/wire"

// about is the general information in the document.
var about = wire.Info{
	Title:   "Khatm API",
	Version: Version,
	License: "Apache-2.0",
	Description: "Khatm is a service for e-invoices in Saudi Arabia. This document describes the operations available to programs with an API key. " +
		"\n\n" +
		"Send your API key as `Authorization: Bearer svc_…`. Every response has headers with the state of your rate limit and an `X-Request-ID` to quote when you report a problem.",
	Tags: []wire.Tag{
		{Name: tagInvoices, Description: "Tax invoices, credit notes, debit notes and advance payment invoices."},
		{Name: tagClients, Description: "The buyers of your invoices."},
		{Name: tagItems, Description: "Your catalogue of goods and services for use in invoices."},
		{Name: tagDevices, Description: "The signing devices that issue your invoices."},
		{Name: tagUsage, Description: "Usage of your plan."},
		{Name: tagReference, Description: "Code lists in English and Arabic. They may be cached for a day."},
	},
}

// Document returns the OpenAPI document of the surface in versions 3.1 and 3.0.
func (s *Surface) Document() (v31, v30 []byte, err error) {
	return wire.Documents(about, Base, s.Rows())
}

// Publish serves the OpenAPI documents.
func (s *Surface) Publish(f *wire.Frame) {
	f.Publish(about, Base, "/api/integrations/", s.Rows())
}
