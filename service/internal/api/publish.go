package api

import (
	"bytes"
	"net/http"
	"time"

	"khatm/service/internal/wire"
)

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
// was read from, in OpenAPI 3.1 and in 3.0 for tools that read no newer one.
func (s *Surface) Document() (v31, v30 []byte, err error) {
	if v31, err = wire.Document(about, Base, s.Rows()); err != nil {
		return nil, nil, err
	}
	v30, err = wire.Downgrade(v31)
	return v31, v30, err
}

// Publish serves the documents. They need no key and nobody is counted for
// reading them.
func (s *Surface) Publish(f *wire.Frame) {
	v31, v30, err := s.Document()
	if err != nil {
		panic(err) // the rows are part of the program
	}
	f.Open(Base+"/api/integrations/openapi.json", jsonPage(v31))
	f.Open(Base+"/api/integrations/openapi-3.0.json", jsonPage(v30))
}

func jsonPage(body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		r.Header.Del("Range") // a part of a document is no document
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}
