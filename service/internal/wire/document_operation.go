package wire

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"khatm/service/internal/codec"
)

// operation describes one route. planOf and replyOf cannot fail here, because
// prepare has called them.
func (d *document) operation(row *Route) pairs {
	p, _ := planOf(row.in)
	op := pairs{{"operationId", row.Name}}
	if row.Tag != "" {
		op = op.With("tags", []string{row.Tag})
	}
	op = op.With("summary", row.Summary).With("description", row.words())
	op = op.With("security", d.security(row))
	if row.Access == Members && row.Scope != "" {
		op = op.With("x-role", string(row.Scope.Least())).With("x-scope", string(row.Scope))
	}
	if params := append(row.activeOrg(), d.parameters(p)...); len(params) > 0 {
		op = op.With("parameters", params)
	}
	if p.body != nil || p.isForm() {
		op = op.With("requestBody", d.requestBody(row, p))
	}
	return op.With("responses", d.responses(row, p))
}

// words returns the description of a route and who may call it.
func (r *Route) words() string {
	text := r.Doc
	if text != "" {
		text += "\n\n"
	}
	text += r.streamWords()
	switch {
	case r.Access == Anyone || r.Access == Public:
		return text + "No API key is needed."
	case r.Access == Visitors, r.Access == People && r.Scope == "":
		return text + "Requires a signed-in person; an API key is refused."
	case r.Access == People:
		return text + fmt.Sprintf("Requires a signed-in person with role `%s` or higher; an API key is refused.", r.Scope.Least())
	case r.Scope == "":
		return text + "Any valid API key may call this operation."
	}
	return text + fmt.Sprintf("Requires role `%s` or higher. A key restricted to scopes needs the scope `%s`.", r.Scope.Least(), r.Scope)
}

func (d *document) security(row *Route) []any {
	ways := []any{}
	for _, name := range map[Access][]string{Members: {"apiKey"}, People: {"session", "sessionToken"}, Visitors: {"session", "sessionToken"}}[row.Access] {
		d.schemes[name] = true
		ways = append(ways, pairs{{name, []any{}}})
	}
	return ways
}

func (d *document) usedSchemes() pairs {
	var used pairs
	for _, one := range (pairs{
		{"apiKey", pairs{
			{"type", "http"},
			{"scheme", "bearer"},
			{"bearerFormat", "svc_…"},
			{"description", "API key, sent as `Authorization: Bearer svc_…`. It belongs to one organisation, and every call acts for that organisation."},
		}},
		{"session", pairs{
			{"type", "apiKey"},
			{"in", "cookie"},
			{"name", "accessToken"},
			{"description", "Session cookie of a signed-in person. A write with the cookie must send an `Origin` or `Sec-Fetch-Site` header of the same site."},
		}},
		{"sessionToken", pairs{
			{"type", "http"},
			{"scheme", "bearer"},
			{"description", "Token of the same session, sent as `Authorization: Bearer …`."},
		}},
	}) {
		if d.schemes[one.Name] {
			used = used.With(one.Name, one.Value)
		}
	}
	return used
}

// activeOrg describes the header with which a signed-in person chooses the
// organisation to act for. The frame reads the header, not the handler.
func (r *Route) activeOrg() []any {
	if r.Access != People {
		return nil
	}
	return []any{pairs{
		{"name", "X-Active-Org"},
		{"in", "header"},
		{"required", false},
		{"description", "UUID of the organisation to act for. Required if you belong to several."},
		{"schema", pairs{{"type", "string"}}},
	}}
}

func (d *document) parameters(p *plan) []any {
	var all []any
	for i := range p.params {
		one := &p.params[i]
		q := pairs{{"name", one.Name}, {"in", one.place}, {"required", one.Required}}
		if one.Doc != "" {
			q = q.With("description", one.Doc)
		}
		if one.Deprecated {
			q = q.With("deprecated", true)
		}
		if one.Shape.Kind == codec.KindList {
			q = q.With("style", "form").With("explode", false)
		}
		all = append(all, q.With("schema", d.Parameter(&one.Field)))
	}
	return all
}

func (d *document) requestBody(row *Route, p *plan) pairs {
	if p.body == nil {
		return pairs{{"required", true}, {"content", pairs{{"multipart/form-data", d.form(row, p)}}}}
	}
	body := pairs{{"required", !p.body.optional}}
	if p.body.doc != "" {
		body = pairs{{"description", p.body.doc}, {"required", !p.body.optional}}
	}
	if row.Root != "" {
		// The paths of problems begin with this name, although no field has it.
		body = body.With("x-path-root", row.Root)
	}
	if row.Gather {
		// One problem at the root names all required fields that are missing.
		body = body.With("x-missing-together", true)
	}
	content := pairs{{"schema", d.Of(&p.body.shape, row.mode())}}
	if row.Example != "" {
		content = content.With("example", row.example())
	}
	if row.Examples != nil {
		content = content.With("examples", row.examples())
	}
	return body.With("content", pairs{{"application/json", content}})
}

// form describes the parts of a multipart form.
func (d *document) form(row *Route, p *plan) pairs {
	properties, required, encoding := pairs{}, []any{}, pairs{}
	for i := range p.parts {
		one := &p.parts[i]
		schema := d.Of(&one.shape, row.mode())
		if one.doc != "" {
			schema = schema.With("description", one.doc)
		}
		if row.Example != "" {
			// Swagger UI looks for the example at the part, not at the form.
			schema = schema.With("examples", []any{row.example()})
		}
		properties = properties.With(one.name, schema)
		encoding = encoding.With(one.name, pairs{{"contentType", "application/json"}})
		if !one.optional {
			required = append(required, one.name)
		}
	}
	for i := range p.files {
		one := &p.files[i]
		file, name := binary(one.media), one.name
		if name == "*" {
			name, file = "files", pairs{{"type", "array"}, {"items", file}}
		}
		if one.doc != "" {
			file = file.With("description", one.doc)
		}
		properties = properties.With(name, file)
		if one.media != "" {
			encoding = encoding.With(name, pairs{{"contentType", strings.ReplaceAll(one.media, ",", ", ")}})
		}
		if one.required {
			required = append(required, name)
		}
	}
	schema := pairs{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		schema = schema.With("required", required)
	}
	return pairs{{"schema", schema}, {"encoding", encoding}}
}

// responses describes the successful response and all error responses of a route.
func (d *document) responses(row *Route, p *plan) pairs {
	status := row.Status
	if status == 0 {
		status = http.StatusOK
	}
	all := pairs{{strconv.Itoa(status), d.success(row, status)}}
	if row.Cache > 0 {
		same := pairs{{"description", "Not modified: the caller already has this version, as given in `If-None-Match`."}}
		all = all.With("304", same.With("headers", refer(append([]string{"Cache-Control", "ETag"}, onEveryAnswer...)...)))
	}
	by := row.statuses(p)
	for _, code := range slices.Sorted(maps.Keys(by)) {
		refused := refusalOf(code, row.Access).answer(row.Access, by[code])
		if code == http.StatusBadRequest && row.namesIgnored(p) {
			headers, _ := refused.Get("headers")
			shown, _ := headers.(pairs)
			refused = refused.Set("headers", append(refer(ignoredHeader), shown...))
		}
		all = all.With(strconv.Itoa(code), refused)
	}
	return all
}
