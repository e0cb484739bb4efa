package view

import (
	"fmt"
	"strings"
	"testing"
)

// TestRecentIsBounded checks that only the last requests are kept, and only so
// many bytes of their bodies.
func TestRecentIsBounded(t *testing.T) {
	var recent Recent
	body := make([]byte, 200<<10)
	for i := range maxRequests + 50 {
		recent.Add(Request{Operation: "/compliance", Number: fmt.Sprint(i), Body: body, Size: len(body)})
	}
	recent.Add(Request{Operation: "/compliance", Number: "large", Body: make([]byte, maxBody+1), Size: maxBody + 1})
	list := recent.List()
	if len(list) != maxRequests || list[0].Number != "large" || list[0].Body != nil || list[0].ID != maxRequests+51 {
		t.Errorf("%d requests, the first is %s with %d bytes, want %d, the large one first and without its body", len(list), list[0].Number, len(list[0].Body), maxRequests)
	}
	kept := 0
	for i, r := range list {
		kept += len(r.Body)
		if i > 0 && i <= maxBodies/len(body) && r.Body == nil {
			t.Errorf("request %d lost its body, although there is space", i)
		}
	}
	if kept > maxBodies || kept != recent.bodies {
		t.Errorf("%d bytes are kept and %d counted, want at most %d", kept, recent.bodies, maxBodies)
	}
	if _, found := recent.Find(51); found {
		t.Error("an old request is found")
	}
	if r, found := recent.Find(52); !found || r.Number != "51" {
		t.Errorf("Find(52) = %s, %v, want the oldest request", r.Number, found)
	}
	recent.Add(Request{Operation: "/compliance", Number: strings.Repeat("n", 1<<20), Hash: strings.Repeat("h", 1<<20)})
	if r := recent.List()[0]; len(r.Number) != maxField || len(r.Hash) != maxField {
		t.Errorf("a number of %d and a hash of %d characters are kept, want %d", len(r.Number), len(r.Hash), maxField)
	}
	recent.Clear()
	recent.Add(Request{Body: []byte("x")})
	if list := recent.List(); len(list) != 1 || list[0].ID != maxRequests+53 || recent.bodies != 1 {
		t.Errorf("after Clear: %d requests and %d bytes, want the new one with a new ID", len(list), recent.bodies)
	}
}

// Requests to unknown addresses do not displace documents.
func TestRecentKeepsDocuments(t *testing.T) {
	var recent Recent
	recent.Add(Request{Operation: "/invoices/reporting/single", Number: "kept"})
	for range maxRequests + 50 {
		recent.Add(Request{Path: "/nowhere", Body: []byte("x")})
	}
	list := recent.List()
	if len(list) != 1+maxUnknown || list[maxUnknown].Number != "kept" || list[0].ID != maxRequests+51 || recent.bodies != maxUnknown {
		t.Errorf("%d requests and %d bytes are kept, want the document and the last %d others", len(list), recent.bodies, maxUnknown)
	}
}
