package api

import (
	"context"
	"encoding/base64"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// authorityData is what the authority answered.
type authorityData struct {
	ClearedInvoice    *string           `json:"clearedInvoice" doc:"The signed document, base64: as the authority stamped it; ours for a simplified one, and until the stamped copy arrives if it was lost, which infoMessages then says; null on rejection."`
	ClearanceStatus   *string           `json:"clearanceStatus" doc:"CLEARED or NOT_CLEARED; null for a document that was reported."`
	ReportingStatus   *string           `json:"reportingStatus" doc:"REPORTED or NOT_REPORTED; null for a document that was cleared."`
	ValidationResults validationResults `json:"validationResults" doc:"What the authority checked."`
}

type validationResults struct {
	Status   string             `json:"status" doc:"PASS, WARNING or ERROR."`
	Infos    []authorityMessage `json:"infoMessages" doc:"Checks that passed."`
	Warnings []authorityMessage `json:"warningMessages" doc:"What the authority warns of."`
	Errors   []authorityMessage `json:"errorMessages" doc:"What the authority refuses."`
}

type authorityMessage struct {
	Type     string `json:"type" doc:"INFO, WARNING or ERROR."`
	Code     string `json:"code" doc:"Code of the check."`
	Category string `json:"category" doc:"Category of the check."`
	Message  string `json:"message" doc:"What happened, in the authority's words."`
	Status   string `json:"status" doc:"PASS, WARNING or ERROR."`

	Explanation *Explanation `json:"explanation" doc:"The same in our words, where we know the rule; null otherwise."`
}

// Explanation is what a rule demands, in both languages, and what to do.
type Explanation struct {
	Message       string  `json:"message" doc:"What the rule demands."`
	MessageArabic string  `json:"message_ar" doc:"The same in Arabic."`
	Fix           string  `json:"fix" doc:"What to change in a new invoice."`
	FixArabic     string  `json:"fix_ar" doc:"The same in Arabic."`
	Path          *string `json:"path" doc:"The field of the request, where one is to blame; null otherwise."`
}

// answerTo is what the authority said of an invoice; nil before its final word.
func (s *Surface) answerTo(ctx context.Context, of org.Tenant, i ledger.Invoice) (*authorityData, error) {
	if !i.Status.Final() {
		return nil, nil //nolint:nilnil // there is none
	}
	a, err := s.Keeper.Verdict(ctx, of, i.ID)
	if err != nil {
		return nil, err
	}
	out := &authorityData{}
	status := string(a.Status)
	switch a.Status {
	case ledger.Cleared, ledger.NotCleared:
		out.ClearanceStatus = &status
	default:
		out.ReportingStatus = &status
	}
	if a.Status.Accepted() {
		xml := a.Stamped
		if xml == nil { // a document of ours has our stamp alone
			if xml, err = s.Keeper.ArchivedXML(ctx, of, i.ID); err != nil {
				return nil, err
			}
		}
		text := base64.StdEncoding.EncodeToString(xml)
		out.ClearedInvoice = &text
	}
	explained, err := s.explained(ctx, of, i, a)
	if err != nil {
		return nil, err
	}
	out.ValidationResults = validationResults{
		Status: a.Result, Infos: messagesOf(a.CurrentInfos(), nil), Warnings: messagesOf(a.Warnings, explained), Errors: messagesOf(a.Errors, explained),
	}
	return out, nil
}

// explained explains what the authority warns of or refuses.
func (s *Surface) explained(ctx context.Context, of org.Tenant, i ledger.Invoice, a ledger.Answer) (map[string]Explanation, error) {
	var codes []string
	for _, list := range [][]ledger.Message{a.Warnings, a.Errors} {
		for _, m := range list {
			codes = append(codes, m.Code)
		}
	}
	if len(codes) == 0 {
		return nil, nil //nolint:nilnil // there is nothing to explain
	}
	return s.Explain(ctx, of, i, codes)
}

func messagesOf(list []ledger.Message, explained map[string]Explanation) []authorityMessage {
	out := make([]authorityMessage, len(list))
	for n, m := range list {
		out[n] = authorityMessage{Type: m.Type, Code: m.Code, Category: m.Category, Message: m.Message, Status: m.Status}
		if e, known := explained[m.Code]; known {
			out[n].Explanation = &e
		}
	}
	return out
}
