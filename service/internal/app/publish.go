package app

import (
	"khatm/service/internal/api"
	"khatm/service/internal/wire"
)

// about is the general information in the document.
var about = wire.Info{
	Title:   "Khatm app API",
	Version: api.Version,
	License: "Apache-2.0",
	Description: "The API of the web app, for signed-in people. In addition to the API for programs it has drafts, which can be shared for approval and issued, " +
		"operations to renew and revoke the links of invoices, the API keys, devices, reasons, notices and e-mails of your organisation.\n\n" +
		"Sign in with `POST /api/session/`. Browsers keep the session in the cookie `accessToken`; other clients send the `access_token` of the response as " +
		"`Authorization: Bearer …`. The operations below `/v1` accept a session too.\n\n" +
		"Fields of a body that an operation does not know are ignored and listed in the header `X-Khatm-Ignored`.",
	Tags: []wire.Tag{
		{Name: tagSession, Description: "Signing in and out."},
		{Name: tagFactor, Description: "Codes of an authenticator app that signing in needs besides the password."},
		{Name: tagSetUp, Description: "The first account and organisation of a new installation, and its environment of the tax authority."},
		{Name: tagAccount, Description: "The account of a person: password and name."},
		{Name: tagDrafts, Description: "Invoices that are not issued yet. A draft can be sent to a recipient for approval."},
		{Name: tagAttention, Description: "What waits for a person of your organisation."},
		{Name: tagCorrections, Description: "What rejected invoices need, and the drafts that correct them."},
		{Name: tagLinks, Description: "Links that show an invoice without signing in."},
		{Name: tagKeys, Description: "The keys with which programs call the API below `/v1`."},
		{Name: tagMembers, Description: "The people of your organisation, their roles and invitations."},
		{Name: tagDevices, Description: "The devices that issue invoices, and their certificates of the tax authority."},
		{Name: tagReasons, Description: "Payment terms, and reasons for credit and debit notes, that invoices refer to."},
		{Name: tagAutocomplete, Description: "Suggestions while a person types."},
		{Name: tagCompany, Description: "The record of your organisation, which is the seller on its invoices."},
		{Name: tagPictures, Description: "The pictures of clients and items."},
		{Name: tagNotices, Description: "What the people of your organisation should know: allowance, certificates, unreported and corrupted invoices."},
		{Name: tagBranches, Description: "Places of your organisation with a registration number and an address."},
		{Name: tagImports, Description: "Clients and items from a CSV or XLSX file."},
		{Name: tagEarlier, Description: "Invoices of older systems that credit and debit notes refer to."},
		{Name: tagPlan, Description: "The plan of your organisation, and what is used of it."},
		{Name: tagSummary, Description: "What the documents of a period add up to."},
		{Name: tagViews, Description: "Filters of lists that you have saved."},
		{Name: tagPayments, Description: "Payments of invoices, split over several where needed, refunds on credit notes, and the credit of clients."},
		{Name: tagStatements, Description: "What clients owe: statements of account and the age of balances, one for each currency."},
		{Name: tagOutbox, Description: "The e-mails written for your organisation."},
		{Name: tagTrail, Description: "Who did what in your organisation."},
	},
}

// Document returns the OpenAPI document of the surface in versions 3.1 and 3.0.
func (s *Surface) Document() (v31, v30 []byte, err error) {
	return wire.Documents(about, Base, s.Rows())
}

// Publish serves the OpenAPI documents.
func (s *Surface) Publish(f *wire.Frame) { f.Publish(about, Base, "/", s.Rows()) }
