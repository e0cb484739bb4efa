package view

import (
	"fmt"
	"net/http"
	"strconv"
)

// detail is the data of the page of one request.
type detail struct {
	frame
	requestRow
	Gone     bool // the request is not kept
	Method   string
	Address  string
	Device   string
	UUID     string
	Counter  string
	Hash     string
	Previous string
	Decided  int
	Reasons  []explanation
	Headers  []Field
	Size     int
	Dropped  bool // the body is not kept
	Members  []Field
	Plain    string // body that is not a JSON object
	Document *prettyXML
	Download string // address of the exact document
}

// pathOf returns the address of the page of a request.
func (l language) pathOf(r Request) string {
	return fmt.Sprintf("%srequests/%d?lang=%s", Base, r.ID, l)
}

// find returns the request of a path.
func (p *Page) find(r *http.Request) (Request, bool) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return Request{}, false
	}
	return p.Recent.Find(id)
}

func (p *Page) request(w http.ResponseWriter, r *http.Request) {
	l := languageOf(r)
	sent, found := p.find(r)
	if !found {
		p.render(w, r, http.StatusNotFound, "request.html", detail{frame: frameOf(r, l, l.T("gone")), Gone: true})
		return
	}
	p.render(w, r, http.StatusOK, "request.html", l.detailOf(r, sent))
}

func (l language) detailOf(r *http.Request, sent Request) detail {
	row := l.rowOf(sent)
	title := row.Operation
	if row.Number != "" {
		title += " " + row.Number
	}
	d := detail{
		frame: frameOf(r, l, title), requestRow: row, Method: clip(sent.Method, 10), Address: sent.Path,
		Device: clip(sent.Device, 160), UUID: clip(sent.UUID, 60), Counter: clip(sent.Counter, 40), Hash: clip(sent.Hash, 100), Previous: clip(sent.PreviousHash, 200),
		Decided: sent.Decided, Reasons: l.explain(sent.Reasons), Headers: sent.Header,
		Size: sent.Size, Dropped: sent.Body == nil && sent.Size > 0,
	}
	if sent.Body == nil {
		return d
	}
	var object bool
	if d.Members, object = members(sent.Body); !object {
		d.Members, d.Plain = nil, plain(sent.Body)
	}
	if document := documentOf(sent.Body); document != nil {
		d.Document, d.Download = pretty(document), fmt.Sprintf("%srequests/%d/document", Base, sent.ID)
	}
	return d
}

// document sends the exact document of a request as a download.
func (p *Page) document(w http.ResponseWriter, r *http.Request) {
	sent, found := p.find(r)
	document := documentOf(sent.Body)
	if !found || document == nil {
		http.Error(w, "This document is no longer kept.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="request-%d.xml"`, sent.ID))
	_, _ = w.Write(document) // an error means that the client has disconnected
}
