package api

import (
	"context"
	"encoding/base64"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// authorityData is the authority's response.
type authorityData struct {
	ClearedInvoice    *string           `json:"clearedInvoice" doc:"The signed document in base64. For a cleared document the copy stamped by the authority, or our own until the stamped copy arrives, which infoMessages reports; for a simplified document our own; null if rejected."`
	ClearanceStatus   *string           `json:"clearanceStatus" enum:"CLEARED,NOT_CLEARED" doc:"CLEARED or NOT_CLEARED; null for a document that is reported."`
	ReportingStatus   *string           `json:"reportingStatus" enum:"REPORTED,NOT_REPORTED" doc:"REPORTED or NOT_REPORTED; null for a document that is cleared."`
	ValidationResults validationResults `json:"validationResults" doc:"Results of the authority's checks."`
}

type validationResults struct {
	Status   string             `json:"status" doc:"Overall result: PASS, WARNING or ERROR."`
	Infos    []authorityMessage `json:"infoMessages" doc:"Checks that passed."`
	Warnings []authorityMessage `json:"warningMessages" doc:"Warnings of the authority."`
	Errors   []authorityMessage `json:"errorMessages" doc:"Errors for which the authority rejected the document."`
}

type authorityMessage struct {
	Type     string `json:"type" doc:"INFO, WARNING or ERROR."`
	Code     string `json:"code" doc:"Code of the check, such as BR-KSA-40."`
	Category string `json:"category" doc:"Category of the check, as named by the authority."`
	Message  string `json:"message" doc:"Text of the authority."`
	Status   string `json:"status" doc:"PASS, WARNING or ERROR."`

	Explanation *Explanation `json:"explanation" doc:"Our explanation of the rule; null if the rule is unknown to us."`
}

// Explanation explains a rule in English and Arabic and says what to do.
type Explanation struct {
	Message       string  `json:"message" doc:"What the rule requires."`
	MessageArabic string  `json:"message_ar" doc:"What the rule requires, in Arabic."`
	Fix           string  `json:"fix" doc:"What to change in a new invoice."`
	FixArabic     string  `json:"fix_ar" doc:"What to change in a new invoice, in Arabic."`
	Path          *string `json:"path" doc:"Path of the field in the request that caused the error, such as invoice_schema_data.form_lines.0.vat_rate; null if there is no single field."`
}

// answerTo returns the authority's response to an invoice, or nil until it is
// final.
func (s *Surface) answerTo(ctx context.Context, of org.Tenant, i ledger.Invoice) (*authorityData, error) {
	if !i.Status.Final() {
		return nil, nil //nolint:nilnil // no response yet
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
		if xml == nil { // not stamped by the authority
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

// explained returns explanations for the authority's warnings and errors.
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
