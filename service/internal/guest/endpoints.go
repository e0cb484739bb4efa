package guest

import (
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/share"
	"khatm/service/internal/tools"
	"khatm/service/internal/wire"
)

// Endpoints serves shared links to programs, with the same functions as the
// pages.
type Endpoints struct{ Config }

// NewEndpoints returns the endpoints.
func NewEndpoints(c Config) *Endpoints { return &Endpoints{c} }

// tagShared is the OpenAPI tag of the endpoints.
const tagShared = "Shared links"

// sharedPath is the path of the endpoints of a link.
const sharedPath = "/api/public/shared/{token}/"

// Rows returns the routes of the endpoints, below [tools.Base].
func (e *Endpoints) Rows() []wire.Route {
	const hourly = " A link allows 60 calls an hour, counted over its operations and its page together. Further calls return 429 with `window` `hourly`."
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: sharedPath, Name: "get-shared", Tag: tagShared, Access: wire.Public, Whole: true,
			Codes:   []fault.Code{fault.LinkNotFound, fault.InvoiceDamaged},
			Summary: "View a shared invoice or draft",
			Doc: "Returns an issued invoice, or a draft that waits for approval. Unknown, expired and revoked links return the same 404, " +
				"as do the links of a standard invoice that is not cleared yet and of a rejected invoice." + hourly,
		}, e.viewShared),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: sharedPath + "pdf/", Name: "get-shared-pdf", Tag: tagShared, Access: wire.Public, Whole: true,
			Codes:   []fault.Code{fault.LinkNotFound, fault.PDFNotFound, fault.InvoiceDamaged},
			Summary: "Download a shared invoice or draft as PDF",
			Doc:     "Returns an invoice as PDF/A-3 once the authority has accepted it, and 404 before that. The PDF of a draft is marked as a draft.",
		}, e.sharedPDF),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: sharedPath + "otp/", Name: "send-shared-otp", Tag: tagShared, Access: wire.Public, Whole: true,
			Codes:   []fault.Code{fault.LinkNotFound, fault.NothingToApprove, fault.AlreadyApproved, fault.AlreadyDeclined, fault.NoMoreCodes, fault.SellerUnserved, fault.EmailsRefused, fault.DraftChanged},
			Summary: "E-mail an approval code to the draft's recipient",
			Doc:     "The code has six digits and is valid for ten minutes. A second request within that time sends no new code. Limits: 20 codes per link, 20 e-mails a day to one address, and 200 e-mails a day for one organisation. The request has no body.",
		}, e.askShared),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: sharedPath + "approve/", Name: "approve-shared", Tag: tagShared, Access: wire.Public, Whole: true, Strict: true, MaxBody: maxApproval,
			Codes:   []fault.Code{fault.LinkNotFound, fault.NothingToApprove, fault.WrongCode, fault.InvalidCode, fault.AlreadyDeclined, fault.InvalidName, fault.SellerUnserved, fault.DraftChanged},
			Summary: "Approve a shared draft",
			Doc:     "Requires the code that was e-mailed to the recipient; it can be tried five times. A draft is approved only once: approving it again returns the first approval, whatever is sent.",
			Example: `{"name":"Noura Al Qahtani","code":"314159"}`,
			First: func(ctx context.Context, c wire.Caller, param func(string) string) error {
				return e.spend(ctx, c, param("token"))
			},
		}, e.approveShared),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: sharedPath + "decline/", Name: "decline-shared", Tag: tagShared, Access: wire.Public, Whole: true, Strict: true, MaxBody: maxDecline,
			Codes:   []fault.Code{fault.LinkNotFound, fault.NothingToApprove, fault.WrongCode, fault.InvalidCode, fault.AlreadyApproved, fault.InvalidName, fault.InvalidComment, fault.SellerUnserved, fault.DraftChanged},
			Summary: "Decline a shared draft",
			Doc: "Requires the code that was e-mailed to the recipient, as an approval does. The seller is informed by e-mail and can change the draft and share it again. " +
				"A draft is declined only once: declining it again returns the first answer, whatever is sent.",
			Example: `{"name":"Noura Al Qahtani","code":"314159","comment":"The quantity of the second line should be 3."}`,
			First: func(ctx context.Context, c wire.Caller, param func(string) string) error {
				return e.spend(ctx, c, param("token"))
			},
		}, e.declineShared),
	}
}

// maxApproval is the maximum size of the body of an approval.
const maxApproval = 4 << 10

// maxDecline is the maximum size of the body of a refusal, which has a comment.
const maxDecline = 16 << 10

type sharedLink struct {
	Token string `path:"token" doc:"Token of the link: the part after /s/ in its URL."`
}

// private is embedded in responses that search engines must not index.
type private struct {
	Robots string `json:"-" header:"X-Robots-Tag" example:"noindex, nofollow" doc:"Always noindex, nofollow: search engines must not index shared documents."`
}

func unindexed() private { return private{"noindex, nofollow"} }

// spend counts a call against the allowance of a link, before the document is
// loaded. For a link that does not work it counts nothing and returns the error.
func (e *Endpoints) spend(ctx context.Context, c wire.Caller, token string) error {
	link, err := e.Links.Find(ctx, token)
	if err != nil {
		return err
	}
	return c.Spend(ctx, e.Link, hex.EncodeToString(link.Digest))
}

// open counts a call against the allowance of a link and opens it.
func (e *Endpoints) open(ctx context.Context, c wire.Caller, token string) (share.View, error) {
	if err := e.spend(ctx, c, token); err != nil {
		return share.View{}, err
	}
	return e.Links.Open(ctx, token)
}

func (e *Endpoints) viewShared(ctx context.Context, c wire.Caller, in *sharedLink) (*sharedView, error) {
	view, err := e.open(ctx, c, in.Token)
	if err != nil {
		return nil, err
	}
	return e.viewOf(view, in.Token), nil
}

// pdfAddress returns the URL of the PDF of a link.
func (e *Endpoints) pdfAddress(token string) *string {
	at := e.URL + tools.Base + "/api/public/shared/" + url.PathEscape(token) + "/pdf/"
	return &at
}

type sharedFile struct {
	wire.File `media:"application/pdf"`
	Branding  string `header:"X-Branding" doc:"Name of the service; always the same."`
	Robots    string `header:"X-Robots-Tag" doc:"Always noindex, nofollow: search engines must not index shared documents."`
}

func (e *Endpoints) sharedPDF(ctx context.Context, c wire.Caller, in *sharedLink) (*sharedFile, error) {
	view, err := e.open(ctx, c, in.Token)
	if err != nil {
		return nil, err
	}
	pdf, err := e.pdf(ctx, view)
	if err != nil {
		return nil, err
	}
	return &sharedFile{
		File:     wire.File{Type: "application/pdf", Name: pdf.Name, Bytes: pdf.Data},
		Branding: tools.Branding, Robots: unindexed().Robots,
	}, nil
}

type askedCode struct {
	Message string    `json:"message" example:"A code was sent." doc:"Human-readable result, such as A code was sent."`
	SentTo  string    `json:"sent_to" example:"n***@example.com" doc:"E-mail address of the recipient, mostly masked."`
	Expires time.Time `json:"expires_at" doc:"Time the code expires. After that a new code can be requested."`
	Version int       `json:"version" doc:"Version of the draft that the code approves."`
	tools.Branded
	private
}

func (e *Endpoints) askShared(ctx context.Context, c wire.Caller, in *sharedLink) (*askedCode, error) {
	if err := e.spend(ctx, c, in.Token); err != nil {
		return nil, err
	}
	asked, err := e.Links.AskCode(ctx, in.Token, share.From{Address: c.Address, Request: c.Request})
	if err != nil {
		return nil, err
	}
	return &askedCode{
		Message: e.describe(asked), SentTo: asked.To, Expires: asked.Expires, Version: asked.Version, Branded: tools.Brand(), private: unindexed(),
	}, nil
}

// describe describes the result of requesting a code. Without a mail server
// nothing is sent.
func (e *Endpoints) describe(asked share.Asked) string {
	switch {
	case asked.UsedUp:
		return "The code was tried too often and is no longer valid. A new one can be requested after expires_at."
	case asked.Fresh && e.Mail:
		return "A code was sent."
	case e.Mail:
		return "The code sent before is still valid; no new one was sent."
	case asked.Fresh:
		return "A code was created for " + asked.To + "; if no e-mail arrives, ask the sender."
	}
	return "A code was created before for " + asked.To + " and is still valid; if no e-mail arrives, ask the sender."
}

type sharedApproval struct {
	sharedLink
	Body approvalBody `body:"json"`
}

type approvalBody struct {
	Name string `json:"name" example:"Noura Al Qahtani" doc:"Name of the person who approves, 1 to 100 characters on one line, without a web or e-mail address."`
	Code string `json:"code" example:"314159" doc:"Six-digit code that was e-mailed to the recipient."`
	Seen int    `json:"version" optional:"true" minimum:"1" example:"1" doc:"Version of the draft that was viewed. If the draft has changed since, it is not approved."`
}

type approvedDraft struct {
	approvalOut
	Version int `json:"version" doc:"Version of the draft that was approved."`
	tools.Branded
	private
}

func (e *Endpoints) approveShared(ctx context.Context, c wire.Caller, in *sharedApproval) (*approvedDraft, error) {
	from := share.From{Address: c.Address, Request: c.Request, Seen: in.Body.Seen}
	given, err := e.Links.Approve(ctx, in.Token, in.Body.Name, in.Body.Code, from)
	if err != nil {
		return nil, err
	}
	return &approvedDraft{approvalOut: approvalOut{given.Name, given.At}, Version: given.Version, Branded: tools.Brand(), private: unindexed()}, nil
}

type sharedDecline struct {
	sharedLink
	Body declineBody `body:"json"`
}

type declineBody struct {
	Name    string `json:"name" example:"Noura Al Qahtani" doc:"Name of the person who declines, 1 to 100 characters on one line, without a web or e-mail address."`
	Code    string `json:"code" example:"314159" doc:"Six-digit code that was e-mailed to the recipient."`
	Comment string `json:"comment" optional:"true" maxLength:"500" example:"The quantity of the second line should be 3." doc:"Comment for the seller, at most 500 characters."`
	Seen    int    `json:"version" optional:"true" minimum:"1" example:"1" doc:"Version of the draft that was viewed. If the draft has changed since, it is not declined."`
}

type declinedDraft struct {
	declineOut
	Version int `json:"version" doc:"Version of the draft that was declined."`
	tools.Branded
	private
}

func (e *Endpoints) declineShared(ctx context.Context, c wire.Caller, in *sharedDecline) (*declinedDraft, error) {
	from := share.From{Address: c.Address, Request: c.Request, Seen: in.Body.Seen}
	given, err := e.Links.Decline(ctx, in.Token, in.Body.Name, in.Body.Code, in.Body.Comment, from)
	if err != nil {
		return nil, err
	}
	return &declinedDraft{declineOut: declineOut{given.Name, given.Comment, given.At}, Version: given.Version, Branded: tools.Brand(), private: unindexed()}, nil
}
