package tools

import (
	"slices"

	"khatm/rules"
)

// result is what one rule says of an invoice.
type result struct {
	Rule          string   `json:"rule_id" example:"BR-KSA-40" doc:"Id of the rule, as the authority has it."`
	Status        string   `json:"status" enum:"passed,failed,not_applicable" doc:"passed, failed or not_applicable."`
	Message       string   `json:"message" doc:"What the rule demands."`
	MessageArabic string   `json:"message_ar" doc:"The same in Arabic."`
	Severity      string   `json:"severity" enum:"error,warning" doc:"error: the authority refuses the document; warning: it accepts it and warns."`
	Fix           string   `json:"fix,omitempty" doc:"What to change; of a failed rule."`
	FixArabic     string   `json:"fix_ar,omitempty" doc:"The same in Arabic."`
	Path          string   `json:"path,omitempty" example:"seller.vat_registration_number" doc:"The field to blame, where it is one."`
	Got           string   `json:"got,omitempty" doc:"What stands there."`
	Want          string   `json:"want,omitempty" doc:"What should stand there, where that can be said."`
	Also          []string `json:"also,omitempty" doc:"Further fields that fail the same rule."`
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

// resultsOf makes one result of all findings with the same id.
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

// blame says where a result failed: the first place that is a field, or the
// first of all, and the fields of others.
func (in *blamer) blame(r *result, places []rules.Place) {
	for i, p := range places {
		path, own := in.pathOf(p)
		switch {
		case i == 0, path != "" && r.Path == "":
			r.Path, r.Got, r.Want = path, p.Got, p.Want
			if path != "" && !own { // they are those of what was computed
				r.Got, r.Want = "", ""
			}
		case path != "" && path != r.Path && !slices.Contains(r.Also, path):
			r.Also = append(r.Also, path)
		}
	}
}
