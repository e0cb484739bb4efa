package api

import "khatm/service/internal/wire"

// about is the general information in the document.
var about = wire.Info{
	Title:   "Khatm API",
	Version: Version,
	License: "Apache-2.0",
	Description: "Khatm is a service for e-invoices in Saudi Arabia. This document describes the operations available to programs with an API key. " +
		"\n\n" +
		"Send your API key as `Authorization: Bearer svc_…`. Every response has headers with the state of your rate limit, an `X-Request-ID` to quote when you report a problem, " +
		"and `X-Khatm-Environment`, the environment of the tax authority. Fields of a body that an operation does not know are ignored and listed in `X-Khatm-Ignored`." +
		"\n\n" +
		"**Lookups.** `GET /api/business-types/`, `GET /api/industries/`, `GET /api/buyers/additional-buyer-id-types/` and the other lookups that texts here refer to need no key. " +
		"They are described in [the document of the public tools](/v1-3/api/public/docs), as JSON at [/v1-3/api/public/openapi.json](/v1-3/api/public/openapi.json), and are served below the same base URL as this API." +
		"\n\n" +
		"**Status.** `CLEARED` and `REPORTED` (accepted), `NOT_CLEARED` and `NOT_REPORTED` (rejected) are final and never change. null and `No response` are not final: " +
		"the service sends the document again by itself, always the same bytes, so do not create it again. It stops 23 hours after an attempt that may have arrived without an answer, or if the authority finds the document too large; " +
		"`PATCH /api/invoices/{invoice_id}/clearance-reporting/` then sends it again. Accepted documents cannot be changed; correct them with a credit or debit note. For a rejected document, create a corrected one." +
		"\n\n" +
		"**Creating once.** An `Idempotency-Key` is kept with its invoice and never expires: the same key with the same data returns the first result at any later time, and with other data it is refused. " +
		"A refused request does not use its key. Without a key, the same data within five minutes is refused with `duplicate_invoice`, the `location` of the first invoice and `Retry-After`: this is the duplicate guard. " +
		"Two equal sales therefore need two keys." +
		"\n\n" +
		"**Amounts.** Amounts of credit and debit notes are positive, like those of invoices; the type of the document says in which direction they count. " +
		"An advance payment invoice states its own VAT. The final invoice states the VAT of the whole supply, and the advance with its VAT is deducted from the total including VAT (`prepaid_amount`), so the VAT is not charged twice." +
		"\n\n" +
		"**Catalogue.** Prices of items have no currency: the price is used as it is, in the currency of the document. " +
		"If the stock of an item is limited, catalogue lines of tax invoices (388) and debit notes (383) reduce it when they are issued; catalogue lines of credit notes (381) and rejected documents give it back. " +
		"Previews, advance payment invoices and `form_lines` do not change stock.",
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
