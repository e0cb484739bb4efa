package app

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/attention"
	"khatm/service/internal/notice"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Attention reads what waits for the people of an organisation.
type Attention interface {
	AttentionState(ctx context.Context, of org.Tenant, now time.Time) (attention.State, error)
}

const tagAttention = "Attention"

func (s *Surface) attentionRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/attention/", Name: "list-attention", Tag: tagAttention, Access: wire.People, Scope: org.AttentionGet, Whole: true,
			Summary: "List what needs attention",
			Doc: "Returns everything that waits for a person of your organisation, the most urgent first: rejected invoices that no other invoice replaces, with the cause, the field and the suggested value; " +
				"invoices without an answer for 6, 12 or 20 hours; payments that are recorded on a rejected invoice; devices that stopped or could not be onboarded; approved and declined drafts; e-mails that were not delivered; " +
				"cleared invoices whose stamped copy was not received; " +
				"and the notices about the plan, certificates, the chain and corrupted invoices. " +
				"At most 20 entries of a kind are listed. Rejected invoices are listed for 90 days, undelivered e-mails for 7.",
		}, s.listAttention),
	}
}

// AttentionEntry is something that waits for a person, in a response.
type AttentionEntry struct {
	Kind          string            `json:"kind" enum:"rejected,unanswered,held,unstamped,device,approved,declined,letter,allowance,certificate,unproven_chain,corrupted" doc:"rejected: the authority rejected an invoice; unanswered: it has not answered one; held: a payment is recorded on a rejected invoice; unstamped: the stamped copy of an invoice was not received; device: a device stopped; approved, declined: a draft was answered; letter: an e-mail was not delivered; the others are the kinds of notices."`
	Level         string            `json:"level" enum:"info,warning,critical" doc:"Urgency of the entry."`
	Subject       *AttentionSubject `json:"subject" doc:"Record that the entry is about; null if it is about the whole organisation."`
	Since         *time.Time        `json:"since" doc:"Time from which the entry waits; null if unknown."`
	Message       string            `json:"message" doc:"What happened, in English."`
	MessageArabic string            `json:"message_ar" doc:"What happened, in Arabic."`
	Fix           string            `json:"fix" doc:"What to do, in English."`
	FixArabic     string            `json:"fix_ar" doc:"What to do, in Arabic."`
	Causes        []cause           `json:"causes" doc:"Why the authority rejected the invoice; empty for other entries."`
	Changes       []suggestion      `json:"changes" doc:"Suggested values for a rejected invoice; empty for other entries."`
	Trouble       *deviceTrouble    `json:"trouble" doc:"Why the onboarding of a device failed; null for other entries, or if it is unknown."`
	Draft         *uuid.UUID        `json:"draft_uuid" doc:"UUID of the draft that corrects a rejected invoice; null without a draft."`
}

// AttentionSubject is the record that an entry is about.
type AttentionSubject struct {
	Type string    `json:"type" enum:"invoice,device,draft,letter" doc:"Type of the record."`
	UUID uuid.UUID `json:"uuid" doc:"UUID of the record."`
	Name string    `json:"name" example:"INV-2026-000001" doc:"Number of the invoice, name of the device, or address of the e-mail; may be empty."`
}

type attentionList struct {
	Verdict string           `json:"verdict" enum:"ok,waiting,action" doc:"ok: nothing waits for a person; waiting: only entries of the level info; action: at least one entry needs a person now."`
	Entries []AttentionEntry `json:"entries" doc:"What waits for a person, the most urgent first."`
	More    []string         `json:"more" doc:"Kinds of which more than 20 entries are waiting."`
}

func (s *Surface) listAttention(ctx context.Context, c wire.Caller, _ *nothing) (*attentionList, error) {
	now := s.Now()
	state, err := s.Attention.AttentionState(ctx, c.Actor.Tenant, now)
	if err != nil {
		return nil, err
	}
	entries, more := attention.Of(state, now)
	out := &attentionList{Verdict: "ok", Entries: []AttentionEntry{}, More: []string{}}
	for _, e := range entries {
		one, err := s.attentionOf(ctx, c.Actor.Tenant, e)
		if err != nil {
			return nil, err
		}
		out.Entries = append(out.Entries, one)
	}
	for _, kind := range more {
		out.More = append(out.More, string(kind))
	}
	switch {
	case slices.ContainsFunc(entries, func(e attention.Entry) bool { return e.Level != notice.Info }):
		out.Verdict = "action"
	case len(entries) > 0:
		out.Verdict = "waiting"
	}
	return out, nil
}

func (s *Surface) attentionOf(ctx context.Context, of org.Tenant, e attention.Entry) (AttentionEntry, error) {
	out := AttentionEntry{
		Kind: string(e.Kind), Level: string(e.Level), Causes: []cause{}, Changes: []suggestion{},
		Message: e.Message, MessageArabic: e.MessageArabic, Fix: e.Fix, FixArabic: e.FixArabic,
	}
	if e.Type != "" {
		out.Subject = &AttentionSubject{e.Type, e.ID, e.Name}
	}
	if !e.Since.IsZero() {
		out.Since = &e.Since
	}
	if e.Draft != uuid.Nil {
		out.Draft = &e.Draft
	}
	out.Trouble = troubleOf(e.Trouble)
	if e.Kind != attention.Rejected {
		return out, nil
	}
	plan, err := s.Corrects.Plan(ctx, of, e.ID)
	if err != nil {
		return out, err
	}
	found := findingsOf(plan)
	out.Causes, out.Changes = found.Causes, found.Changes
	return out, nil
}
