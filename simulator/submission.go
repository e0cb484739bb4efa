package simulator

import (
	"bytes"
	"encoding/base64"
	"strings"

	"khatm/simulator/internal/ca"
	"khatm/simulator/internal/judge"
)

// submission is the request body of check, clearance and reporting.
type submission struct {
	hash     string
	uuid     string
	document []byte
	broken   bool // whether the document is not valid base64
}

func readSubmission(body []byte) (submission, error) {
	var s submission
	var text string
	err := readObject(body, map[string]*string{"invoiceHash": &s.hash, "uuid": &s.uuid, "invoice": &text})
	if err != nil {
		return submission{}, err
	}
	s.document, err = base64.StdEncoding.Strict().DecodeString(text)
	s.document = judge.Decoded(s.document)
	s.broken = err != nil || strings.ContainsAny(text, "\r\n") // the decoder ignores line breaks
	return s, nil
}

// longestHash is the longest hash that is stored without validation. A real
// hash has 44 characters.
const longestHash = 100

// decide validates a document, unless the mood is "nod", and stores its fields
// in c.info. It limits how many documents are validated at a time, to bound the
// memory.
func (s *Simulator) decide(c *call, sent submission, at judge.Endpoint) judge.Verdict {
	s.judging <- struct{}{}
	defer func() { <-s.judging }()
	if sent.broken {
		sent.document = nil // validated as an empty document
		c.refuse("", why{"the document is not base64 on one line", "invoice", "Send the base64 of the XML, padded and without line breaks."})
	}
	if s.mood.nods() && !sent.broken && sent.hash != "" && len(sent.hash) <= longestHash {
		c.info = extractInfo(sent)
		return judge.Verdict{Info: []judge.Message{}, Warnings: []judge.Message{}, Errors: []judge.Message{}}
	}
	v := s.judge.Judge(s.submissionOf(c, sent, at), c.began)
	c.noteForeign(v)
	c.info = documentInfo{
		uuid: v.UUID, number: v.Number, counter: v.Counter, previousHash: v.PreviousHash, hash: v.Hash,
		typeCode: v.TypeCode, standard: v.Standard,
	}
	if c.info.hash == "" {
		c.info.hash, c.info.uuid = sent.hash, sent.uuid // for the journal, record at least what the request claims
	}
	for _, r := range v.Reasons {
		c.explain(string(r.Kind), r.Code, why{r.Cause, r.Field, r.Fix})
	}
	for _, m := range append(v.Warnings[:len(v.Warnings):len(v.Warnings)], v.Errors...) {
		c.codes = append(c.codes, m.Code)
	}
	return v
}

// submissionOf returns what is validated. With the setting certificates "any",
// the stamp is not compared with the credential and its issuer is not checked.
func (s *Simulator) submissionOf(c *call, sent submission, at judge.Endpoint) judge.Submission {
	set := c.state.settings.choices()
	full := judge.Submission{
		Document:     sent.document,
		UUID:         sent.uuid,
		Hash:         sent.hash,
		Endpoint:     at,
		VATNumber:    c.credential.Certificate.VATNumber,
		ClearanceOff: set.Clearance == "off" || s.mood.referred.Load(),
		Language:     language(c.header.Get("Accept-Language")),
	}
	if set.Certificates != anyCertificate {
		compliance, production := c.state.ca.Issuers(c.environment)
		full.Certificate, full.Issuers = c.credential.Certificate.Raw, [][]byte{compliance, production}
	}
	return full
}

// noteForeign records that the certificate of the stamp was not checked, if it
// is not that of the credential.
func (c *call) noteForeign(v judge.Verdict) {
	if c.state.settings.choices().Certificates != anyCertificate || v.Report == nil || v.Report.Certificate == nil ||
		bytes.Equal(v.Report.Certificate.Raw, c.credential.Certificate.Raw) {
		return
	}
	c.tolerate(foreignCertificate, why{
		`the document is stamped with another certificate than that of the credential, and the setting certificates is "any"`, "ds:X509Certificate",
		`Only a replay needs this; PUT /settings {"certificates":"own"} of the control API checks certificates again.`,
	})
}

// foreignCertificate is the code of the reason that noteForeign records.
const foreignCertificate = "foreign-certificate"

// language returns the language of the messages, "ar" or "en", according to the
// first entry of an Accept-Language header.
func language(accepted string) string {
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(accepted)), "ar") {
		return "ar"
	}
	return "en"
}

// remembers reports whether duplicates are detected: in every environment
// except the developer portal, and also there if the setting is strict.
func (c *call) remembers() bool {
	return c.environment != ca.Sandbox || c.state.settings.choices().Sandbox == "strict"
}

// results is the part of an answer that lists the findings.
type results struct {
	Info     []judge.Message `json:"infoMessages"`
	Warnings []judge.Message `json:"warningMessages"`
	Errors   []judge.Message `json:"errorMessages"`
	Status   string          `json:"status"`
}

func resultsOf(v judge.Verdict) results { return results{v.Info, v.Warnings, v.Errors, v.Status()} }

// Statuses of documents.
const (
	cleared     = "CLEARED"
	notCleared  = "NOT_CLEARED"
	reported    = "REPORTED"
	notReported = "NOT_REPORTED"
)

// message is one finding, also used on its own as an answer body.
type message = judge.Message

// statusOf returns the HTTP status for a verdict.
func statusOf(v judge.Verdict) int {
	switch {
	case len(v.Errors) > 0:
		return 400
	case len(v.Warnings) > 0:
		return 202
	}
	return 200
}
