package app

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/api"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
	"khatm/spreadsheet"
)

// Entries reads the audit trail of an organisation. No method changes it.
type Entries interface {
	EventPage(ctx context.Context, of org.Tenant, f org.EventFilter, page org.Page) (org.List[org.Event], error)
	WalkEvents(ctx context.Context, of org.Tenant, f org.EventFilter, see func(org.Event) error) error
}

// mostExported is the maximum number of entries in a file, and exportMemory what
// they need.
const (
	mostExported = 20_000
	exportMemory = 32 << 20
)

var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

const tagTrail = "Audit trail"

func (s *Surface) trailRows() []wire.Route {
	const path = "/api/trail/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "list-trail", Tag: tagTrail, Access: wire.People, Scope: org.TrailGet,
			Summary: "List the audit trail", Doc: "Returns who did what in your organisation, newest first. Entries cannot be changed or deleted.",
		}, s.listTrail),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path + "export/", Name: "export-trail", Tag: tagTrail, Access: wire.People, Scope: org.TrailGet,
			Whole: true, Memory: func(int) int64 { return exportMemory },
			Codes:   []fault.Code{fault.ExportTooLarge},
			Summary: "Export the audit trail",
			Doc: "Returns the same entries as a file of at most 20,000 entries: CSV, XLSX or JSON Lines. In CSV and XLSX a text that a spreadsheet would read as a formula begins with an apostrophe. " +
				"The export is recorded in the audit trail.",
		}, s.exportTrail),
	}
}

// Entry is an entry of the audit trail in a response.
type Entry struct {
	UUID    uuid.UUID       `json:"uuid" doc:"UUID of the entry."`
	At      time.Time       `json:"at" doc:"Time of the action."`
	Kind    string          `json:"kind" enum:"key,person,operator,system" doc:"Who acted: an API key, a person, the operator of the service, or the service itself."`
	Actor   string          `json:"actor" example:"noura@example.sa" doc:"Name of the key, e-mail address of the person, or name of the operator."`
	Address string          `json:"address" example:"203.0.113.7" doc:"IP address of the caller; empty if there was none."`
	Request string          `json:"request_id" example:"jh5d4wgf1q1wjzbp" doc:"X-Request-ID of the call; empty if there was none."`
	Action  string          `json:"action" example:"client.create" doc:"Action."`
	Label   string          `json:"label" example:"Client created" doc:"Action in English."`
	LabelAR string          `json:"label_ar" example:"إضافة عميل" doc:"Action in Arabic."`
	Subject string          `json:"subject" example:"0199a4e2-8c1b-7cc3-98c4-dc0c0c07398f" doc:"UUID or name of the record that was acted on."`
	Details json.RawMessage `json:"details" doc:"Object with details of the action, without secrets."`
}

func entryOf(e org.Event) Entry {
	label, known := codes.FindAction(e.Action)
	if !known {
		label = codes.Word{EN: e.Action, AR: e.Action}
	}
	return Entry{
		UUID: e.ID, At: e.At, Kind: string(e.Kind), Actor: e.Actor, Address: e.Address, Request: e.Request,
		Action: e.Action, Label: label.EN, LabelAR: label.AR, Subject: e.Subject, Details: json.RawMessage(e.Details),
	}
}

type trailFilter struct {
	Action  string     `query:"action" optional:"true" maxLength:"100" example:"client.create" doc:"Only entries with this action."`
	Actor   string     `query:"actor" optional:"true" maxLength:"254" example:"noura@example.sa" doc:"Only entries of this actor."`
	Subject string     `query:"subject" optional:"true" maxLength:"200" doc:"Only entries about the record with this UUID or name."`
	From    codec.Date `query:"date_from" optional:"true" doc:"First day, such as 2026-11-01, in Riyadh time."`
	To      codec.Date `query:"date_to" optional:"true" doc:"Last day, such as 2026-11-30, in Riyadh time."`
}

func (f trailFilter) filter() org.EventFilter {
	out := org.EventFilter{Action: f.Action, Actor: f.Actor, Subject: f.Subject}
	if !f.From.IsZero() {
		out.From = f.From.In(riyadh)
	}
	if !f.To.IsZero() {
		out.Until = f.To.In(riyadh).AddDate(0, 0, 1)
	}
	return out
}

type listTrail struct {
	api.PageQuery
	trailFilter
}

type trailList struct {
	Entries []Entry `json:"entries" doc:"Entries on this page."`
	api.Envelope
}

func (s *Surface) listTrail(ctx context.Context, c wire.Caller, in *listTrail) (*trailList, error) {
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, func(ctx context.Context, of org.Tenant, p org.Page) (org.List[org.Event], error) {
		return s.Entries.EventPage(ctx, of, in.filter(), p)
	}, entryOf)
	return &trailList{rows, envelope}, err
}

type exportTrail struct {
	trailFilter
	Format string `query:"format" default:"csv" enum:"csv,xlsx,jsonl" doc:"csv, xlsx, or jsonl: one JSON object per line, as in the list."`
}

type trailFile struct {
	wire.File `media:"text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,application/jsonl"`
}

func (s *Surface) exportTrail(ctx context.Context, c wire.Caller, in *exportTrail) (*trailFile, error) {
	var entries []Entry
	err := s.Entries.WalkEvents(ctx, c.Actor.Tenant, in.filter(), func(e org.Event) error {
		if len(entries) == mostExported {
			return fault.New(fault.ExportTooLarge, "The export would have more than %d entries. Choose a shorter period.", mostExported).
				Arabic("سيزيد عدد القيود في الملف على %d.", mostExported)
		}
		entries = append(entries, entryOf(e))
		return nil
	})
	if err != nil {
		return nil, err
	}
	file, err := trailAs(in.Format, entries)
	if err != nil {
		return nil, err
	}
	file.Name = "audit-trail." + in.Format
	if err := s.Trail.Note(ctx, c.Actor, "trail.export", in.Format+" "+in.From.String()+"/"+in.To.String()); err != nil {
		return nil, err
	}
	return &trailFile{file}, nil
}

// trailAs returns the entries as a file.
func trailAs(format string, entries []Entry) (wire.File, error) {
	if format == "jsonl" {
		return trailLines(entries)
	}
	kind, media := spreadsheet.CSV, csvMedia
	if format == "xlsx" {
		kind, media = spreadsheet.XLSX, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	var out bytes.Buffer
	w := spreadsheet.NewWriter(&out, kind, spreadsheet.Sheet{Name: "Audit trail", Frozen: 1})
	err := w.Write(cells(spreadsheet.Heading, "uuid", "at", "kind", "actor", "address", "request_id", "action", "label", "label_ar", "subject", "details")...)
	for _, e := range entries {
		if err != nil {
			break
		}
		err = w.Write(cells(spreadsheet.Text, e.UUID.String(), e.At.In(riyadh).Format(time.RFC3339Nano), e.Kind, e.Actor, e.Address, e.Request,
			e.Action, e.Label, e.LabelAR, e.Subject, string(e.Details))...)
	}
	if err == nil {
		err = w.Close()
	}
	return wire.File{Type: media, Bytes: out.Bytes()}, err
}

func cells(of func(string) spreadsheet.Cell, texts ...string) []spreadsheet.Cell {
	all := make([]spreadsheet.Cell, len(texts))
	for i, text := range texts {
		all[i] = of(text)
	}
	return all
}

// trailLines returns the entries as JSON Lines, each as in the list.
func trailLines(entries []Entry) (wire.File, error) {
	shape, err := codec.ShapeOf(reflect.TypeFor[Entry]())
	var out []byte
	for i := range entries {
		if err != nil {
			break
		}
		out, err = codec.Append(out, &shape, reflect.ValueOf(entries[i]))
		out = append(out, '\n')
	}
	return wire.File{Type: "application/jsonl", Bytes: out}, err
}
