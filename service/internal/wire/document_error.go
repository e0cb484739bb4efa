package wire

import (
	"net/http"
	"slices"
	"strings"

	"khatm/service/internal/fault"
)

// refusal is an error response shared by several operations.
type refusal struct {
	status  int
	name    string
	words   string
	shapes  []string
	samples pairs
}

// refusals returns the error responses. If two have the same status, the second
// is for routes that need no credentials.
func refusals() []refusal {
	invalid := pairs{
		{"problems", sample(fault.ValidationFailed, pairs{{"message", []any{"lines.0.item_name: Field required", "page: must be an integer"}}})},
		{"rule", sample(fault.MissingTerms, pairs{{"message", "Payment terms are required for credit payment."}})},
	}
	return []refusal{
		{400, "Invalid", "The request is invalid. `message` is a list with every problem as `path: problem`, or one sentence if a business rule is broken.", []string{"ErrorMessage"}, invalid},
		{400, "Refused", "The request is invalid (see `message`), or the tool cannot process it (see `detail`).", []string{"ErrorMessage", "ErrorDetail"},
			invalid.With("input", sample(fault.InvalidQR, pairs{{"detail", "The input could not be decoded."}}))},
		{401, "Unauthenticated", "The API key is missing, unknown or revoked.", []string{"Unauthorised"}, pairs{
			{"missing", sample(fault.MissingToken, pairs{{"message", "Missing or invalid token"}, {"status", "false"}})},
			{"revoked", sample(fault.InvalidKey, pairs{{"message", "Invalid or revoked API key"}, {"status", "false"}})},
		}},
		{403, "Forbidden", "The API key is valid but not allowed to do this, because of its role or scopes, the plan, a suspended organisation or the fair-use limit.", []string{"ErrorMessage", "ErrorDetail"}, pairs{
			{"plan", sample(fault.PlanWithoutAPI, pairs{{"message", "API access is not included in your current plan."}})},
			{"fair use", sample(fault.FairUseLimit, pairs{{"detail", "Your organisation has used its fair-use allowance of writes for this month. Reads still work. To write again, wait until next month or choose a larger plan."}, {"limit", 10000}})},
		}},
		{404, "NotFound", "The resource does not exist, or belongs to another organisation.", []string{"ErrorMessage"}, pairs{
			{"missing", sample(fault.BuyerNotFound, pairs{{"message", "Buyer not found"}})},
		}},
		{409, "Conflict", "The current state of the resource does not allow this operation.", []string{"ErrorMessage"}, pairs{
			{"answered", sample(fault.InvoiceAnswered, pairs{{"message", "The authority has answered this invoice."}})},
			{"queued", sample(fault.InvoiceQueued, pairs{{"message", "The invoice is queued for the authority already."}})},
		}},
		{409, "WhichOrganisation", "The signed-in person belongs to several organisations and has not chosen one with `X-Active-Org`. Never returned without a session.", []string{"ErrorMessage"}, pairs{
			{"several", sample(fault.OrgContextRequired, pairs{{"message", "You belong to several organisations; name one in the X-Active-Org header."}})},
		}},
		{429, "RateLimited", "Too many requests. Retry after the number of seconds in `Retry-After`.", []string{"ErrorDetail"}, pairs{
			{"minute", sample(fault.RateLimited, pairs{{"detail", "Request was throttled. Expected available in 17 seconds."}, {"limit", 200}, {"window", 60}, {"retry_after", 17}})},
		}},
		{429, "Spent", "Too many requests: either in one minute, with the seconds to wait in `retry_after`, or in the period named by `window`. `Retry-After` is 86400 if the period is `daily` and 3600 if it is `hourly`; it is absent if the period is `monthly`.", []string{"ErrorDetail"}, pairs{
			{"daily", sample(fault.AllowanceUsed, pairs{{"detail", "The daily limit of 10 requests is used up."}, {"window", "daily"}, {"limit", 10}, {"current", 10}})},
			{"hourly", sample(fault.AllowanceUsed, pairs{{"detail", "The hourly limit of 60 requests is used up."}, {"window", "hourly"}, {"limit", 60}, {"current", 60}})},
		}},
		{500, "Internal", "An error in the service. Quote the request id in `message` when you report it.", []string{"ErrorMessage"}, pairs{
			{"ours", sample(fault.InternalError, pairs{{"message", "Something went wrong on our side. Quote the request id jh5d4wgf1q1wjzbp when you ask about it."}})},
		}},
		{503, "Unavailable", "Temporarily unavailable. Retry after the number of seconds in `Retry-After`.", []string{"ErrorMessage", "ErrorDetail"}, pairs{
			{"database", sample(fault.DatabaseUnavailable, pairs{{"message", "The service cannot reach or write its database at the moment. Try again shortly."}})},
		}},
	}
}

// peopleRefusals returns the error responses for sessions that differ from those
// for keys.
func peopleRefusals() []refusal {
	return []refusal{
		{401, "SignedOut", "The session is missing or has expired, or the e-mail or password is wrong.", []string{"Unauthorised"}, pairs{
			{"missing", sample(fault.MissingToken, pairs{{"message", "Missing or invalid token"}, {"status", "false"}})},
			{"over", sample(fault.SessionExpired, pairs{{"message", "The session is unknown or has expired. Sign in again."}, {"status", "false"}})},
			{"password", sample(fault.WrongPassword, pairs{{"message", "E-mail or password is wrong."}, {"status", "false"}})},
		}},
		{403, "NotAllowed", "Not allowed: the role lacks permission, the organisation is inactive, an API key was used, the request comes from another site, or the fair-use limit is reached.", []string{"ErrorMessage", "ErrorDetail"}, pairs{
			{"role", sample(fault.PermissionDenied, pairs{{"message", "Your account does not have permission to perform this action."}})},
			{"key", sample(fault.KeyNotAllowed, pairs{{"message", "An API key cannot be used here; sign in to the app."}})},
			{"another site", sample(fault.CrossSite, pairs{{"message", "The request comes from another site."}})},
		}},
		{409, "NotNow", "You belong to several organisations and have not chosen one with `X-Active-Org`, or the current state of the resource does not allow this operation.", []string{"ErrorMessage"}, pairs{
			{"organisation", sample(fault.OrgContextRequired, pairs{{"message", "You belong to several organisations; name one in the X-Active-Org header."}})},
		}},
	}
}

// sample returns an example of an error response.
func sample(code fault.Code, body pairs) pairs {
	return pairs{{"value", body.With("code", string(code))}}
}

// refusalOf returns the error response for a status, or one without examples if
// the status is not listed. A route that needs no credentials returns 401 and 403
// only if it is for signing in.
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
		return refusal{status: status, name: strings.ReplaceAll(words, " ", ""), words: words, shapes: []string{"ErrorMessage"}}
	case access == Public, access == Anyone && status == http.StatusBadRequest:
		return found[len(found)-1]
	}
	return found[0]
}

// answer describes the error response of an operation that has the given codes.
func (r refusal) answer(access Access, codes []fault.Code) pairs {
	headers := access.counted()
	if slices.Contains([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable}, r.status) || slices.Contains(codes, fault.DuplicateInvoice) {
		headers = append(refer("Retry-After"), headers...)
	}
	content := pairs{{"schema", r.schema(codes)}}
	if samples := r.samplesOf(codes); samples != nil {
		content = content.With("examples", samples)
	}
	return pairs{
		{"description", r.words},
		{"headers", headers},
		{"content", pairs{{"application/json", content}}},
	}
}

// codeSchema restricts the code of an error response. It is required unless an
// error of the operation has none.
func codeSchema(codes []fault.Code) pairs {
	var enum []any
	silent := false
	for _, c := range codes {
		if c.Entry().Silent {
			silent = true
			continue
		}
		enum = append(enum, string(c))
	}
	p := pairs{{"type", "object"}, {"properties", pairs{{"code", pairs{{"type", "string"}, {"description", "Stable error code for programs; docs/errors.md explains each."}, {"enum", enum}}}}}}
	if !silent {
		p = p.With("required", []any{"code"})
	}
	return p
}

// samplesOf returns the examples of errors that an operation can return, at least
// one.
func (r refusal) samplesOf(codes []fault.Code) pairs {
	var kept pairs
	for _, one := range r.samples {
		example, _ := one.Value.(pairs)
		value, _ := example.Get("value")
		body, _ := value.(pairs)
		code, _ := body.Get("code")
		if text, _ := code.(string); slices.Contains(codes, fault.Code(text)) {
			kept = append(kept, one)
		}
	}
	for _, c := range codes {
		if kept == nil && !c.Entry().Silent {
			kept = pairs{{strings.ReplaceAll(string(c), "_", " "), sample(c, pairs{{"message", c.Example()}})}}
		}
	}
	return kept
}

// schema returns the schema of the body of an error response with one of the
// codes: one of its shapes, whose names share makes.
func (r refusal) schema(codes []fault.Code) pairs {
	var choices []any
	for _, name := range r.shapes {
		choices = append(choices, pairs{{"allOf", []any{pairs{{"$ref", "#/components/schemas/" + name}}, codeSchema(codes)}}})
	}
	if len(choices) == 1 {
		one, _ := choices[0].(pairs)
		return one
	}
	return pairs{{"anyOf", choices}}
}

// errorSchemas returns the schemas of error responses.
func errorSchemas() pairs {
	text := func(words string) pairs { return pairs{{"type", "string"}, {"description", words}} }
	return pairs{
		{"ErrorDetail", pairs{
			{"type", "object"},
			{"description", "An error about a limit, or about input that a tool cannot process."},
			{"properties", pairs{
				{"detail", text("Human-readable error message, one sentence.")},
				{"code", text("Stable error code for programs, such as `fair_use_limit`.")},
				{"errors", problemList()},
				{"limit", pairs{{"type", "integer"}, {"description", "Number of calls allowed in the window."}}},
				{"window", pairs{{"type", []any{"integer", "string"}}, {"description", "The window: its length in seconds, or `hourly`, `daily` or `monthly`."}}},
				{"retry_after", pairs{{"type", "integer"}, {"description", "Seconds to wait before a retry."}}},
				{"current", pairs{{"type", "integer"}, {"description", "Number of calls made in the window."}}},
				{"failed_count", pairs{{"type", "integer"}, {"minimum", 1}, {"description", "Number of rules the invoice breaks."}}},
				{"violations", pairs{
					{"type", "array"}, {"minItems", 1},
					{"items", pairs{{"type", "object"}, {"properties", pairs{{"rule_id", text("Id of the rule, such as `BR-KSA-40`.")}, {"message", text("What the rule requires.")}}}, {"required", []any{"rule_id", "message"}}}},
					{"description", "The rules the invoice breaks, as in the failed results of validate-zatca."},
				}},
			}},
			{"required", []any{"detail"}},
		}},
		{"ErrorMessage", pairs{
			{"type", "object"},
			{"description", "An error. Programs should test `code` or `rule_id`, never the text."},
			{"properties", pairs{
				{"message", pairs{
					{"description", "One sentence, or a list with every problem of the request as `path: problem`."},
					{"anyOf", []any{pairs{{"type", "string"}}, pairs{{"type", "array"}, {"items", pairs{{"type", "string"}}}, {"minItems", 1}}}},
				}},
				{"code", text("Stable error code for programs, such as `buyer_not_found`.")},
				{"errors", problemList()},
				{"rule_id", text("Id of the rule that the request breaks, such as `BR-KSA-40`.")},
				{"path", text("Path of the field with the error, such as `invoice_schema_data.form_lines.0.vat_rate`.")},
				{"message_ar", text("The message in Arabic.")},
				{"fix", text("What to do to correct the error.")},
				{"fix_ar", text("What to do to correct the error, in Arabic.")},
				{"location", text("Path of the invoice that was created by the first request, if this one repeats it.")},
				{"reasons", pairs{
					{"type", "array"}, {"maxItems", 100},
					{"items", pairs{{"type", "object"}, {"properties", pairs{{"uuid", text("UUID to send as `reason_id`.").With("format", "uuid")}, {"description", text("Text of the reason, which is printed.")}}}, {"required", []any{"uuid", "description"}}}},
					{"description", "The active reasons of the organisation, if `reason_id` is missing or unknown."},
				}},
				{"current_usage", pairs{{"type", "integer"}, {"description", "Invoices issued this month, if the allowance of the plan is used up."}}},
				{"limit", pairs{{"type", "integer"}, {"description", "Invoices that the plan allows in a month, or writes."}}},
				{"plan_name", text("Name of the plan whose allowance is used up.")},
				{"upgrade_url", text("Address at which a larger plan can be chosen.")},
			}},
			{"required", []any{"message"}},
		}},
		{"Problem", pairs{
			{"type", "object"},
			{"description", "One problem of a request."},
			{"properties", pairs{
				{"path", text("Field with the problem, as in the body of the request, such as `form_lines[0].vat_rate`. Absent if no single field is the cause.")},
				{"code", text("Stable code of the problem: the `code` of the response, or that of a field, such as `field_required`.")},
				{"message", text("What is wrong.")},
				{"message_ar", text("What is wrong, in Arabic.")},
				{"fix", text("What to do.")},
				{"fix_ar", text("What to do, in Arabic.")},
			}},
			{"required", []any{"code", "message", "message_ar", "fix", "fix_ar"}},
		}},
		{"Unauthorised", pairs{
			{"type", "object"},
			{"description", "The caller is not authenticated."},
			{"properties", pairs{
				{"message", text("Human-readable error message, one sentence.")},
				{"status", text("Always the string `false`.").With("const", "false")},
				{"code", text("Stable error code for programs, such as `invalid_api_key`.")},
				{"errors", problemList()},
			}},
			{"required", []any{"message", "status"}},
		}},
	}
}

// problemList is the schema of the list errors.
func problemList() pairs {
	return pairs{
		{"type", "array"}, {"minItems", 1},
		{"items", pairs{{"$ref", "#/components/schemas/Problem"}}},
		{"description", "Every problem of the request, for programs."},
	}
}
