package app

import (
	"khatm/service/internal/api"
	"khatm/service/internal/wire"
)

// about is what the document says of itself.
var about = wire.Info{
	Title:   "Khatm app API",
	Version: api.Version,
	License: "Apache-2.0",
	Description: "What a person who is signed in can do beyond what a program with an API key can: write drafts, share them for approval and issue them, " +
		"renew and revoke the links of invoices, and look at the letters that were sent. It is what the web app speaks.\n\n" +
		"`POST /api/session/` signs in. Browsers keep the session in the cookie `accessToken`; anything else sends the `access_token` of the answer as " +
		"`Authorization: Bearer …`. The operations of the key surface below `/v1` take a session too.",
	Tags: []wire.Tag{
		{Name: tagSession, Description: "Signing in and out."},
		{Name: tagDrafts, Description: "Invoices that are not issued yet. A recipient can be asked to approve one."},
		{Name: tagLinks, Description: "The links by which invoices can be seen without signing in."},
		{Name: tagOutbox, Description: "The letters that were written for your organisation."},
	},
}

// Document is the published description of the surface, in OpenAPI 3.1 and 3.0.
func (s *Surface) Document() (v31, v30 []byte, err error) {
	return wire.Documents(about, Base, s.Rows())
}

// Publish serves the documents. Nobody is counted for reading them.
func (s *Surface) Publish(f *wire.Frame) error { return f.Publish(about, Base, "/", s.Rows()) }
