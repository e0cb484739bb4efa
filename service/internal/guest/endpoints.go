package guest

import (
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"time"

	"khatm/service/internal/share"
	"khatm/service/internal/tools"
	"khatm/service/internal/wire"
)

// Endpoints are the public endpoints of shared links: what the pages show, for
// programs.
type Endpoints struct{ Config }

// NewEndpoints makes the endpoints.
func NewEndpoints(c Config) *Endpoints { return &Endpoints{c} }

// tagShared is the chapter of the document that shows the endpoints.
const tagShared = "Shared links"

// sharedPath is where a link is reached.
const sharedPath = "/api/public/shared/{token}/"

// Rows is the route table of the endpoints, below [tools.Base].
func (e *Endpoints) Rows() []wire.Route {
	const hourly = " A link takes 60 calls an hour over the four operations and its page together; beyond that 429 with `window` `hourly`."
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: sharedPath, Name: "get-shared", Tag: tagShared, Access: wire.Public,
			Summary: "See what was shared",
			Doc: "An invoice that was issued, or a draft that waits for approval. A link that is unknown, over or revoked is 404 in the same words; " +
				"so is that of a standard invoice before it is cleared, and of one that was rejected." + hourly,
		}, e.viewShared),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: sharedPath + "pdf/", Name: "get-shared-pdf", Tag: tagShared, Access: wire.Public,
			Summary: "Download what was shared as PDF",
			Doc:     "An invoice as PDF/A-3 once the authority has accepted it, 404 before; a draft on pages that say so.",
		}, e.sharedPDF),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: sharedPath + "otp/", Name: "send-shared-otp", Tag: tagShared, Access: wire.Public,
			Summary: "Have a code sent to the draft's recipient",
			Doc:     "Six digits, by e-mail, valid for ten minutes. Asking again within them sends nothing new. There are twenty codes a link, and 20 letters to an address and 200 of an organisation a day at most. Takes no body.",
		}, e.askShared),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: sharedPath + "approve/", Name: "approve-shared", Tag: tagShared, Access: wire.Public, Strict: true, MaxBody: maxApproval,
			Summary: "Approve a shared draft",
			Doc:     "With the code that the recipient was sent, of which there are five tries. A draft is approved once: approving it again returns the first approval, whatever is sent.",
			Example: `{"name":"Noura Al Qahtani","code":"314159"}`,
			First: func(ctx context.Context, c wire.Caller, param func(string) string) error {
				return e.spend(ctx, c, param("token"))
			},
		}, e.approveShared),
	}
}

// maxApproval bounds the body of an approval: a name and a code.
const maxApproval = 4 << 10

type sharedLink struct {
	Token string `path:"token" doc:"What follows /s/ in the link."`
}

// private keeps an answer out of search engines.
type private struct {
	Robots string `json:"-" header:"X-Robots-Tag" example:"noindex, nofollow" doc:"Nothing of a link belongs into a search engine."`
}

func unindexed() private { return private{"noindex, nofollow"} }

// spend takes a call from the allowance of a link, before anything is read of
// what the link leads to. A link that opens nothing has none.
func (e *Endpoints) spend(ctx context.Context, c wire.Caller, token string) error {
	link, err := e.Links.Find(ctx, token)
	if err != nil {
		return err
	}
	return c.Spend(ctx, e.Link, hex.EncodeToString(link.Digest))
}

// open takes the call from the allowance of a link and opens it.
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

// pdfAddress is where the PDF of a link is.
func (e *Endpoints) pdfAddress(token string) *string {
	at := e.URL + tools.Base + "/api/public/shared/" + url.PathEscape(token) + "/pdf/"
	return &at
}

type sharedFile struct {
	wire.File `media:"application/pdf"`
	Branding  string `header:"X-Branding" doc:"Who made this; always the same."`
	Robots    string `header:"X-Robots-Tag" doc:"Nothing of a link belongs into a search engine."`
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
	Message string    `json:"message" example:"A code was sent." doc:"What was done."`
	SentTo  string    `json:"sent_to" example:"n***@example.com" doc:"The recipient's address, most of it hidden."`
	Expires time.Time `json:"expires_at" doc:"Until when the code is valid; from then on a new one can be asked for."`
	Version int       `json:"version" doc:"The version of the draft that the code approves."`
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
		Message: e.said(asked), SentTo: asked.To, Expires: asked.Expires, Version: asked.Version, Branded: tools.Brand(), private: unindexed(),
	}, nil
}

// said is what came of asking for a code, in words. Without a mail server
// nothing was sent.
func (e *Endpoints) said(asked share.Asked) string {
	switch {
	case asked.UsedUp:
		return "The code is used up: it was tried wrongly too often. A new one can be asked for from expires_at on."
	case asked.Fresh && e.Mail:
		return "A code was sent."
	case e.Mail:
		return "A code was sent before and is still valid; nothing new was sent."
	case asked.Fresh:
		return "A code was made for " + asked.To + "; if no e-mail comes, ask the sender."
	}
	return "A code was made before for " + asked.To + " and is still valid; if no e-mail comes, ask the sender."
}

type sharedApproval struct {
	sharedLink
	Body approvalBody `body:"json"`
}

type approvalBody struct {
	Name string `json:"name" example:"Noura Al Qahtani" doc:"Who approves: 1 to 100 characters on one line."`
	Code string `json:"code" example:"314159" doc:"The six digits that the recipient was sent."`
	Seen int    `json:"version" optional:"true" minimum:"1" example:"1" doc:"The version that was looked at. If the draft is another by now it is not approved."`
}

type approvedDraft struct {
	approvalOut
	Version int `json:"version" doc:"The version of the draft that was approved."`
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
