// Package app is the API of the web app below /app, for signed-in people; API
// keys are refused. It decodes requests and encodes responses, and leaves the
// work to the packages it is configured with.
package app

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/ledger"
	"khatm/service/internal/share"
	"khatm/service/internal/wire"
)

// Config configures a Surface.
type Config struct {
	Accounts     Accounts
	Branches     Branches
	Companies    Companies
	Devices      Devices
	Attention    Attention
	Catalogue    Catalogue
	Corrects     Corrections
	Drafts       Drafts
	Entries      Entries
	Factors      Factors
	Imports      Imports
	Keys         Keys
	Links        Links
	Outbox       Outbox
	Payments     Payments
	Pictures     Pictures
	Statements   Statements
	Papers       Papers
	Reasons      Reasons
	Suggestions  Suggestions
	SetUps       SetUps
	SignUps      SignUps
	Summaries    Summaries
	SignUp       SignUp
	FirstPlan    string // plan of the first organisation
	SignUpPlan   string // plan of organisations of people who sign up
	Trail        Trail
	Previewed    func(ledger.Invoice) *api.InvoicePreviewed // response for an invoice that is not issued
	Now          func() time.Time
	NewID        func() uuid.UUID
	URL          string // public URL of the service, without a trailing slash
	Secure       bool   // the service is reached over TLS
	Environments Environments
	Notices      Notices
	Passwords    Passwords
	Plans        Plans
	Earlier      EarlierInvoices
	Usage        func(context.Context, wire.Caller) (*api.Usage, error) // usage of the caller's organisation this month
	Views        Views
	Members      Members
}

// Surface is the API of the web app.
type Surface struct{ Config }

// New returns the surface.
func New(c Config) *Surface { return &Surface{c} }

// Base is the base path of the surface.
const Base = "/app"

// Rows returns the routes of the surface.
func (s *Surface) Rows() []wire.Route {
	return slices.Concat(
		s.sessionRows(),
		s.factorRows(),
		s.passwordRows(),
		s.personRows(),
		s.setUpRows(),
		s.signUpRows(),
		s.environmentRows(),
		s.draftRows(),
		s.draftShareRows(),
		s.linkRows(),
		s.correctionRows(),
		s.attentionRows(),
		s.outboxRows(),
		s.memberRows(),
		s.invitationRows(),
		s.acceptRows(),
		s.trailRows(),
		s.keyRows(),
		s.importRows(),
		s.deviceRows(),
		s.deviceEnrolRows(),
		s.deviceEndRows(),
		s.reasonRows(),
		s.autocompleteRows(),
		s.receiptRows(),
		s.refundRows(),
		s.statementRows(),
		s.ageingRows(),
		s.accountExportRows(),
		s.companyRows(),
		s.pictureRows(),
		s.noticeRows(),
		s.branchRows(),
		s.planRows(),
		s.summaryRows(),
		s.viewRows(),
		s.earlierRows(),
	)
}

type nothing struct{}

type done struct {
	Message string `json:"message" doc:"Human-readable result, such as Draft deleted."`
}

type shared struct {
	Link    string    `json:"share_link" example:"https://invoices.example.sa/s/q3Zb…" doc:"URL that shows the document without signing in, to everyone who has the link."`
	Expires time.Time `json:"expires_at" doc:"Time the link expires."`

	WhatsApp string `json:"whatsapp_url" example:"https://wa.me/?text=https%3A%2F%2Finvoices.example.sa%2Fs%2Fq3Zb" doc:"URL that opens WhatsApp on the user's device with the link."`
	Email    string `json:"email_url" example:"mailto:sara@alnoor.example?body=https%3A%2F%2Finvoices.example.sa%2Fs%2Fq3Zb" doc:"URL that opens the user's mail program with the link."`
}

// sharedLink returns the response for a new link. to is the recipient's e-mail
// address, or "".
func sharedLink(link string, expires time.Time, to string) *shared {
	return &shared{link, expires, share.WhatsAppURL(link), share.MailtoURL(to, "", link)}
}

// valueOf returns a conversion for [api.Records].
func valueOf[Row, Out any](convert func(Row) *Out) func(Row) Out {
	return func(r Row) Out { return *convert(r) }
}
