package wire

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// refusal is a response that operations share.
type refusal struct {
	status  int
	name    string
	words   string
	shapes  []string
	samples pairs
}

// refusals are the responses that say no. A caller without a key also meets the
// shape of the frame's own errors where another would not.
func refusals() []refusal {
	invalid := pairs{
		{"problems", sample(pairs{{"message", []any{"lines.0.item_name: Field required", "page: Input should be a valid integer"}}})},
		{"rule", sample(pairs{{"message", "Payment terms are required for credit payment."}})},
	}
	return []refusal{
		{400, "Invalid", "The input is wrong: `message` lists every problem as `path: problem`. Or a rule refuses it: `message` is one sentence.", []string{"Message"}, invalid},
		{400, "Refused", "The input is wrong, as `message` says, or cannot be used, as `detail` says.", []string{"Message", "Detail"},
			invalid.With("input", sample(pairs{{"detail", "The input could not be decoded."}}))},
		{401, "Unauthenticated", "The key is missing, unknown or revoked.", []string{"Unauthorised"}, pairs{
			{"missing", sample(pairs{{"message", "Missing or invalid token"}, {"status", "false"}})},
			{"revoked", sample(pairs{{"message", "Invalid or revoked API key"}, {"status", "false"}})},
		}},
		{403, "Forbidden", "The key is known and may not do this: role, scope, plan, a suspended organisation, or fair use.", []string{"Message", "Detail"}, pairs{
			{"plan", sample(pairs{{"message", "API access is not included in your current plan."}})},
			{"fair use", sample(pairs{{"code", "fair_use_limit"}, {"detail", "Your organisation has used its fair-use allowance of writes for this month. Reading goes on; writing goes on next month or on a larger plan."}, {"limit", 10000}})},
		}},
		{404, "NotFound", "It is not there, or not yours.", []string{"Message"}, pairs{
			{"missing", sample(pairs{{"message", "Buyer not found"}})},
		}},
		{409, "Conflict", "It is not in a state in which this can be done.", []string{"Message"}, pairs{
			{"answered", sample(pairs{{"message", "The authority has answered this invoice."}})},
			{"queued", sample(pairs{{"message", "The invoice is queued for the authority already."}})},
		}},
		{409, "WhichOrganisation", "Somebody signed in reaches several organisations and does not say for which one this is. Callers without a session never meet it.", []string{"Message"}, pairs{
			{"several", sample(pairs{{"code", "org_context_required"}, {"message", "You belong to several organisations; name one in the X-Active-Org header."}})},
		}},
		{429, "RateLimited", "Too many calls. Try again after `Retry-After`.", []string{"Detail"}, pairs{
			{"minute", sample(pairs{{"detail", "Request was throttled. Expected available in 17 seconds."}, {"limit", 200}, {"window", 60}, {"retry_after", 17}})},
		}},
		{429, "Spent", "Too many calls: in a minute, with seconds to wait; or of an allowance that `window` names. `Retry-After` is 86400 when it is daily and 3600 when it is hourly; there is none when it is monthly.", []string{"Detail"}, pairs{
			{"daily", sample(pairs{{"detail", "The daily limit of 10 requests is used up."}, {"window", "daily"}, {"limit", 10}, {"current", 10}})},
			{"hourly", sample(pairs{{"detail", "The hourly limit of 60 requests is used up."}, {"window", "hourly"}, {"limit", 60}, {"current", 60}})},
		}},
		{500, "Internal", "The fault is ours. The id of the call helps to find it.", []string{"Message"}, pairs{
			{"ours", sample(pairs{{"message", "Something went wrong on our side. Quote the request id jh5d4wgf1q1wjzbp when you ask about it."}})},
		}},
		{503, "Unavailable", "It cannot be done now; try again.", []string{"Message", "Detail"}, pairs{
			{"database", sample(pairs{{"message", "The service cannot reach or write its database at the moment. Try again shortly."}})},
		}},
	}
}

// peopleRefusals are the responses that say no to people who sign in, where they
// differ from those to a key.
func peopleRefusals() []refusal {
	return []refusal{
		{401, "SignedOut", "Nobody is signed in.", []string{"Unauthorised"}, pairs{
			{"missing", sample(pairs{{"message", "Missing or invalid token"}, {"status", "false"}})},
			{"over", sample(pairs{{"message", "The session is unknown or over. Sign in again."}, {"status", "false"}})},
			{"password", sample(pairs{{"message", "E-mail or password is wrong."}, {"status", "false"}})},
		}},
		{403, "NotAllowed", "It may not be done: by this role, for this organisation, with an API key, from another site, or beyond fair use.", []string{"Message", "Detail"}, pairs{
			{"role", sample(pairs{{"message", "Your account does not have permission to perform this action."}})},
			{"key", sample(pairs{{"message", "An API key cannot be used here; sign in to the app."}})},
			{"another site", sample(pairs{{"message", "The request comes from another site."}})},
		}},
		{409, "NotNow", "You belong to several organisations and name none; or it is not in a state in which this can be done.", []string{"Message"}, pairs{
			{"organisation", sample(pairs{{"code", "org_context_required"}, {"message", "You belong to several organisations; name one in the X-Active-Org header."}})},
		}},
	}
}

func sample(body pairs) pairs { return pairs{{"value", body}} }

// refusalOf finds the response of a status; a row may name one that is not
// listed. What anybody may call refuses nobody for who they are, unless it is
// where people sign in.
func refusalOf(status int, access Access) refusal {
	list := refusals()
	people := access == People || access == Visitors || access == Anyone && (status == http.StatusUnauthorized || status == http.StatusForbidden)
	if people {
		list = append(peopleRefusals(), list...)
	}
	var found []refusal
	for _, one := range list {
		if one.status == status {
			found = append(found, one)
		}
	}
	switch {
	case len(found) == 0:
		words := http.StatusText(status)
		return refusal{status: status, name: strings.ReplaceAll(words, " ", ""), words: words, shapes: []string{"Message"}}
	case access == Public, access == Anyone && status == http.StatusBadRequest:
		return found[len(found)-1]
	}
	return found[0]
}

func (d *document) usedRefusals() pairs {
	var used pairs
	for _, name := range slices.Sorted(maps.Keys(d.refused)) {
		one := d.refused[name]
		headers := refer(onEveryAnswer...)
		if slices.Contains([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable}, one.status) {
			headers = append(refer("Retry-After"), headers...)
		}
		content := pairs{{"schema", one.schema()}}
		if one.samples != nil {
			content = content.With("examples", one.samples)
		}
		used = used.With(one.name, pairs{
			{"description", one.words},
			{"headers", headers},
			{"content", pairs{{"application/json", content}}},
		})
	}
	return used
}

func (r refusal) schema() pairs {
	var choices []any
	for _, name := range r.shapes {
		choices = append(choices, pairs{{"$ref", "#/components/schemas/" + name}})
	}
	if len(choices) == 1 {
		one, _ := choices[0].(pairs)
		return one
	}
	return pairs{{"anyOf", choices}}
}

// errorSchemas are the shapes of errors.
func errorSchemas() pairs {
	text := func(words string) pairs { return pairs{{"type", "string"}, {"description", words}} }
	return pairs{
		{"Detail", pairs{
			{"type", "object"},
			{"description", "A refusal of the frame: a limit, or an input that a tool cannot use."},
			{"properties", pairs{
				{"detail", text("One sentence, for people.")},
				{"code", text("A stable name to branch on.")},
				{"limit", pairs{{"type", "integer"}, {"description", "Calls allowed in a window."}}},
				{"window", pairs{{"type", []any{"integer", "string"}}, {"description", "The window: its seconds, or hourly, daily or monthly."}}},
				{"retry_after", pairs{{"type", "integer"}, {"description", "Seconds until another try can succeed."}}},
				{"current", pairs{{"type", "integer"}, {"description", "Calls made in this window."}}},
				{"failed_count", pairs{{"type", "integer"}, {"minimum", 1}, {"description", "How many rules an invoice fails that was to be rendered."}}},
				{"violations", pairs{
					{"type", "array"}, {"minItems", 1},
					{"items", pairs{{"type", "object"}, {"properties", pairs{{"rule_id", text("Id of the rule.")}, {"message", text("What the rule demands.")}}}, {"required", []any{"rule_id", "message"}}}},
					{"description", "The rules that it fails: the results of validate-zatca that failed."},
				}},
			}},
			{"required", []any{"detail"}},
		}},
		{"Message", pairs{
			{"type", "object"},
			{"description", "A refusal. Branch on `code` or `rule_id`, never on words."},
			{"properties", pairs{
				{"message", pairs{
					{"description", "One sentence, or every problem of the input as `path: problem`."},
					{"anyOf", []any{pairs{{"type", "string"}}, pairs{{"type", "array"}, {"items", pairs{{"type", "string"}}}, {"minItems", 1}}}},
				}},
				{"code", text("A stable name to branch on.")},
				{"rule_id", text("The rule that refuses.")},
				{"path", text("The field it is about.")},
				{"message_ar", text("The sentence in Arabic.")},
				{"fix", text("What to do.")},
				{"fix_ar", text("What to do, in Arabic.")},
			}},
			{"required", []any{"message"}},
		}},
		{"Unauthorised", pairs{
			{"type", "object"},
			{"description", "Nobody we know."},
			{"properties", pairs{
				{"message", text("One sentence, for people.")},
				{"status", text("Always the text false.").With("const", "false")},
			}},
			{"required", []any{"message", "status"}},
		}},
	}
}
