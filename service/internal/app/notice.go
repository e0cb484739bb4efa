package app

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/notice"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Notices stores what the notices of an organisation depend on, and which of them
// a person has read.
type Notices interface {
	NoticeState(ctx context.Context, of org.Tenant, now time.Time) (notice.State, error)
	NoticesRead(ctx context.Context, of org.Tenant, person uuid.UUID) (map[string]bool, error)
	ReadNotices(ctx context.Context, of org.Tenant, person uuid.UUID, ids []string) error
}

const tagNotices = "Notices"

func (s *Surface) noticeRows() []wire.Route {
	const path = "/api/notices/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "list-notices", Tag: tagNotices, Access: wire.People, Scope: org.AttentionGet,
			Summary: "List notices",
			Doc: "Returns what the people of your organisation should know now, the most urgent first: " +
				"80, 100 or 105 percent of the plan's invoices are used; the certificate of a device ends in 60, 30, 7 or 1 days or has ended; " +
				"a simplified invoice has waited 6, 12 or 20 hours to be reported; the chain of invoices is unproven; stored invoices are corrupted. " +
				"A notice disappears when its cause ends. Certificates have at most 100 notices, the first to end first.",
		}, s.listNotices),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path + "read/", Name: "read-notices", Tag: tagNotices, Access: wire.People, Scope: org.AttentionGet,
			Summary: "Mark notices as read",
			Doc:     "Marks notices as read, for you only, and returns all notices. Ids of notices that have ended are ignored.",
			Example: `{"ids": ["allowance:2026-11:80"]}`,
		}, s.readNotices),
	}
}

// Notice is a notice in a response.
type Notice struct {
	ID            string         `json:"id" example:"allowance:2026-11:80" doc:"Id of the notice. A notice that becomes more urgent gets another id."`
	Kind          string         `json:"kind" enum:"allowance,certificate,unreported,unproven_chain,corrupted" doc:"allowance: invoices of the plan; certificate: certificate of a device; unreported: simplified invoices that are not reported; unproven_chain: the database may lack issued invoices; corrupted: invoices whose stored copy is damaged."`
	Level         string         `json:"level" enum:"info,warning,critical" doc:"Urgency of the notice."`
	Message       string         `json:"message" example:"4003 of the 5000 invoices of this month's plan are used." doc:"What the notice is about, in English."`
	MessageArabic string         `json:"message_ar" example:"استُهلك هذا الشهر 4003 من 5000 فاتورة في الباقة." doc:"What the notice is about, in Arabic."`
	Fix           string         `json:"fix" example:"Choose a larger plan if you need more invoices this month." doc:"What to do, in English."`
	FixArabic     string         `json:"fix_ar" example:"اختر باقة أكبر إن احتجت فواتير أكثر هذا الشهر." doc:"What to do, in Arabic."`
	Subject       *NoticeSubject `json:"subject" doc:"Record that the notice is about; null if it is about the whole organisation."`
	Value         *int           `json:"value" example:"80" doc:"Percent used, days left (negative after the end), hours waited, or the number of corrupted invoices; null for unproven_chain."`
	Threshold     *int           `json:"threshold" example:"80" doc:"Threshold that value has reached, in the same unit; 0 for a certificate that has ended; null for unproven_chain and corrupted."`
	Since         *time.Time     `json:"since" doc:"Time from which the notice applies; null for allowance."`
	Read          bool           `json:"read" doc:"Whether you have marked the notice as read."`
}

// NoticeSubject is the record that a notice is about.
type NoticeSubject struct {
	Type string    `json:"type" enum:"device,invoice" doc:"Type of the record."`
	UUID uuid.UUID `json:"uuid" doc:"UUID of the record: of the device, of the oldest invoice that is not reported, or of the first corrupted invoice."`
}

type noticesList struct {
	Notices []Notice `json:"notices" doc:"Current notices, the most urgent first."`
	Unread  int      `json:"unread" doc:"Number of notices that you have not marked as read."`
}

func (s *Surface) listNotices(ctx context.Context, c wire.Caller, _ *nothing) (*noticesList, error) {
	all, err := s.notices(ctx, c)
	if err != nil {
		return nil, err
	}
	return s.noticesFor(ctx, c, all)
}

type readNotices struct {
	Body struct {
		IDs []string `json:"ids" minItems:"1" maxItems:"200" maxLength:"200" example:"allowance:2026-11:80" doc:"Ids of notices."`
	} `body:"json"`
}

// readNotices stores only the ids of current notices, so that a caller cannot fill
// the table.
func (s *Surface) readNotices(ctx context.Context, c wire.Caller, in *readNotices) (*noticesList, error) {
	all, err := s.notices(ctx, c)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, n := range all {
		if slices.Contains(in.Body.IDs, n.ID) {
			ids = append(ids, n.ID)
		}
	}
	if ids != nil {
		if err := s.Notices.ReadNotices(ctx, c.Actor.Tenant, c.Actor.ID, ids); err != nil {
			return nil, err
		}
	}
	return s.noticesFor(ctx, c, all)
}

func (s *Surface) notices(ctx context.Context, c wire.Caller) ([]notice.Notice, error) {
	now := s.Now()
	state, err := s.Notices.NoticeState(ctx, c.Actor.Tenant, now)
	if err != nil {
		return nil, err
	}
	return notice.Of(state, now), nil
}

// noticesFor returns the response for the caller.
func (s *Surface) noticesFor(ctx context.Context, c wire.Caller, all []notice.Notice) (*noticesList, error) {
	read, err := s.Notices.NoticesRead(ctx, c.Actor.Tenant, c.Actor.ID)
	if err != nil {
		return nil, err
	}
	out := &noticesList{}
	for _, n := range all {
		one := noticeOf(n)
		if one.Read = read[n.ID]; !one.Read {
			out.Unread++
		}
		out.Notices = append(out.Notices, one)
	}
	return out, nil
}

func noticeOf(n notice.Notice) Notice {
	out := Notice{
		ID: n.ID, Kind: string(n.Kind), Level: string(n.Level), Value: n.Value, Threshold: n.Threshold,
		Message: n.Message, MessageArabic: n.MessageArabic, Fix: n.Fix, FixArabic: n.FixArabic,
	}
	switch {
	case n.Device != uuid.Nil:
		out.Subject = &NoticeSubject{"device", n.Device}
	case n.Invoice != uuid.Nil:
		out.Subject = &NoticeSubject{"invoice", n.Invoice}
	}
	if !n.Since.IsZero() {
		out.Since = &n.Since
	}
	return out
}
