package tools

import (
	"slices"

	"khatm/rules"
)

// result is the result of one rule for an invoice.
type result struct {
	Rule          string   `json:"rule_id" example:"BR-KSA-40" doc:"Id of the rule as published by the authority, such as BR-KSA-40."`
	Status        string   `json:"status" enum:"passed,failed,not_applicable" doc:"Result of the rule: passed, failed or not_applicable."`
	Message       string   `json:"message" doc:"What the rule requires."`
	MessageArabic string   `json:"message_ar" doc:"What the rule requires, in Arabic."`
	Severity      string   `json:"severity" enum:"error,warning" doc:"error: the authority rejects the document; warning: it accepts the document with a warning."`
	Fix           string   `json:"fix,omitempty" doc:"What to change; only for a failed rule."`
	FixArabic     string   `json:"fix_ar,omitempty" doc:"What to change, in Arabic; only for a failed rule."`
	Path          string   `json:"path,omitempty" example:"seller.vat_registration_number" doc:"Field that breaks the rule, if it is a single one."`
	Got           string   `json:"got,omitempty" doc:"Value of the field."`
	Want          string   `json:"want,omitempty" doc:"Expected value, if it is known."`
	Also          []string `json:"also,omitempty" doc:"Other fields that break the same rule."`
}

func (in *blamer) resultOf(r rules.Result) result {
	out := result{
		Rule: r.Rule.ID, Status: string(r.Status), Severity: string(r.Rule.Flag),
		Message: r.Rule.Says.EN, MessageArabic: r.Rule.Says.AR,
	}
	if r.Status == rules.Failed {
		out.Fix, out.FixArabic = r.Rule.Fix.EN, r.Rule.Fix.AR
		in.blame(&out, r.Places)
	}
	return out
}

// resultsOf combines the findings with the same id into one result.
func (in *blamer) resultsOf(found []rules.Finding) []result {
	var out []result
	places := map[string][]rules.Place{}
	for _, f := range found {
		if places[f.ID] == nil {
			out = append(out, result{
				Rule: f.ID, Status: string(rules.Failed), Severity: string(f.Flag),
				Message: f.Says.EN, MessageArabic: f.Says.AR, Fix: f.Fix.EN, FixArabic: f.Fix.AR,
			})
		}
		places[f.ID] = append(places[f.ID], f.Place)
	}
	for i := range out {
		in.blame(&out[i], places[out[i].Rule])
	}
	return out
}

// blame sets the path and the values of a result from the first place that has a
// request field, or else from the first place. Other fields are added to Also.
func (in *blamer) blame(r *result, places []rules.Place) {
	for i, p := range places {
		path, own := in.pathOf(p)
		switch {
		case i == 0, path != "" && r.Path == "":
			r.Path, r.Got, r.Want = path, p.Got, p.Want
			if path != "" && !own { // the values belong to the calculated amount
				r.Got, r.Want = "", ""
			}
		case path != "" && path != r.Path && !slices.Contains(r.Also, path):
			r.Also = append(r.Also, path)
		}
	}
}
