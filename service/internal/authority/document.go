package authority

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
)

// endpoint is an endpoint for documents.
type endpoint string

const (
	clearance endpoint = "clearance"
	reporting endpoint = "reporting"
	checking  endpoint = "compliance check"
)

// routes maps endpoints to their paths and the value of the Clearance-Status
// header. The authority's schema requires that header.
var routes = map[endpoint]struct{ path, clearance string }{
	clearance: {"/invoices/clearance/single", "1"},
	reporting: {"/invoices/reporting/single", "0"},
	checking:  {"/compliance/invoices", ""},
}

// Clear sends a standard document for clearance, with the credentials of the
// device's production certificate.
func (c *Client) Clear(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict {
	return c.submit(ctx, clearance, as, d)
}

// Report sends a simplified document to reporting, or a standard one while
// clearance is switched off.
func (c *Client) Report(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict {
	return c.submit(ctx, reporting, as, d)
}

// CheckSample sends a sample to the compliance check, with the credentials of
// the compliance certificate.
func (c *Client) CheckSample(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict {
	return c.submit(ctx, checking, as, d)
}

type submissionBody struct {
	Hash    string `json:"invoiceHash"`
	UUID    string `json:"uuid"`
	Invoice string `json:"invoice"`
}

// SubmissionBody returns the exact request body for a document.
func SubmissionBody(id uuid.UUID, hash string, xml []byte) []byte {
	text, err := json.Marshal(submissionBodyOf(ledger.Dispatch{UUID: id.String(), Hash: hash, XML: xml}))
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return text
}

func submissionBodyOf(d ledger.Dispatch) submissionBody {
	return submissionBody{Hash: d.Hash, UUID: d.UUID, Invoice: base64.StdEncoding.EncodeToString(d.XML)}
}

func (c *Client) submit(ctx context.Context, to endpoint, as device.Credentials, d ledger.Dispatch) ledger.Verdict {
	route := routes[to]
	a := c.do(ctx, call{
		method: http.MethodPost, path: route.path, as: as, clearance: route.clearance,
		body: submissionBodyOf(d),
	})
	return verdict(to, a)
}

// verdict interprets the answer to a document.
func verdict(to endpoint, a answer) ledger.Verdict {
	v := ledger.Verdict{
		Outcome: ledger.Unknown, Code: a.status,
		Sent: a.sent, Wait: a.wait, Took: a.took, Raw: a.body, Cause: a.cause,
	}
	if a.cause != nil {
		return v
	}
	read, f := readResults(a.body)
	v.Outcome = classify(to, a.status, f)
	v.Status, v.Result, v.Cleared = read.word, read.result, read.cleared
	v.Infos, v.Warnings, v.Errors = read.infos, read.warnings, read.errors
	return v
}
