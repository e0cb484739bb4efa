package simulator

import (
	"encoding/base64"
	"strings"

	"khatm/simulator/internal/ca"
	"khatm/simulator/internal/judge"
)

// submission is the body that check, clearance and reporting have in common.
type submission struct {
	hash     string
	uuid     string
	document []byte
	broken   bool // the document is not base64
}

func readSubmission(body []byte) (submission, error) {
	var s submission
	var text string
	err := readObject(body, map[string]*string{"invoiceHash": &s.hash, "uuid": &s.uuid, "invoice": &text})
	if err != nil {
		return submission{}, err
	}
	s.document, err = base64.StdEncoding.Strict().DecodeString(text)
	s.broken = err != nil || strings.ContainsAny(text, "\r\n") // which the decoder passes over
	return s, nil
}

// longestHash is what a hash may have to be remembered unjudged; a real one has
// 44 characters.
const longestHash = 100

// decide judges a document, unless the mood is to nod, and notes what it says
// of itself. Only so many are judged at a time, which bounds the memory.
func (s *Simulator) decide(c *call, sent submission, at judge.Endpoint) judge.Verdict {
	s.judging <- struct{}{}
	defer func() { <-s.judging }()
	if sent.broken {
		sent.document = nil // what is not base64 is no document
	}
	if s.mood.nods() && !sent.broken && sent.hash != "" && len(sent.hash) <= longestHash {
		c.paper = glance(sent)
		return judge.Verdict{Info: []judge.Message{}, Warnings: []judge.Message{}, Errors: []judge.Message{}}
	}
	compliance, production := c.state.ca.Issuers(c.environment)
	v := s.judge.Judge(judge.Submission{
		Document:     sent.document,
		UUID:         sent.uuid,
		Hash:         sent.hash,
		Endpoint:     at,
		Certificate:  c.credential.Certificate.Raw,
		VATNumber:    c.credential.Certificate.VATNumber,
		Issuers:      [][]byte{compliance, production},
		ClearanceOff: c.state.settings.choices().Clearance == "off" || s.mood.told.Load(),
		Language:     language(c.header.Get("Accept-Language")),
	}, c.began)
	c.paper = paper{
		uuid: v.UUID, number: v.Number, counter: v.Counter, previousHash: v.PreviousHash, hash: v.Hash,
		typeCode: v.TypeCode, standard: v.Standard,
	}
	if c.paper.hash == "" {
		c.paper.hash, c.paper.uuid = sent.hash, sent.uuid // what it claims is better than nothing, for the journal
	}
	for _, m := range append(v.Warnings[:len(v.Warnings):len(v.Warnings)], v.Errors...) {
		c.codes = append(c.codes, m.Code)
	}
	return v
}

// language is that of the messages; the first one named decides.
func language(accepted string) string {
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(accepted)), "ar") {
		return "ar"
	}
	return "en"
}

// remembers says whether documents are asked for being sent before: everywhere
// but on the developer portal, unless that is set to be strict.
func (c *call) remembers() bool {
	return c.environment != ca.Sandbox || c.state.settings.choices().Sandbox == "strict"
}

// results is the part of an answer that says what was found.
type results struct {
	Info     []judge.Message `json:"infoMessages"`
	Warnings []judge.Message `json:"warningMessages"`
	Errors   []judge.Message `json:"errorMessages"`
	Status   string          `json:"status"`
}

func resultsOf(v judge.Verdict) results { return results{v.Info, v.Warnings, v.Errors, v.Status()} }

// The statuses of documents.
const (
	cleared     = "CLEARED"
	notCleared  = "NOT_CLEARED"
	reported    = "REPORTED"
	notReported = "NOT_REPORTED"
)

// message is the shape of one entry where it stands alone.
type message = judge.Message

// statusOf is the HTTP status of a verdict.
func statusOf(v judge.Verdict) int {
	switch {
	case len(v.Errors) > 0:
		return 400
	case len(v.Warnings) > 0:
		return 202
	}
	return 200
}
