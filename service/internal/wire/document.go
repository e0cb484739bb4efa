package wire

import (
	"fmt"
	"slices"
	"strings"

	"khatm/service/internal/codec"
)

// Info is the general information in a published document.
type Info struct {
	Title       string
	Version     string
	Description string
	License     string // SPDX identifier
	Tags        []Tag
}

// Tag is a group of operations in a document.
type Tag struct{ Name, Description string }

// Document returns an OpenAPI 3.1 document for the routes. It uses the same
// shapes as the decoder and the encoder, so that it cannot differ from them.
// Hidden routes are left out; routes moved by At are listed at their new path.
func Document(info Info, base string, rows []Route) ([]byte, error) {
	d := document{codec.NewSchemas(errorSchemas()), map[string]bool{}, map[string]bool{}}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Route) bool { return r.Hidden })
	for i := range rows {
		if err := d.prepare(&rows[i]); err != nil {
			return nil, err
		}
	}
	paths := pairs{}
	for i := range rows {
		row := &rows[i]
		operations, _ := paths.Get(row.Path)
		known, _ := operations.(pairs)
		if known == nil && row.base != "" && row.base != base {
			known = pairs{{"servers", []any{pairs{{"url", row.base}}}}}
		}
		paths = paths.Set(row.Path, known.With(strings.ToLower(row.Method), d.operation(row)))
	}
	components, err := d.components(paths)
	if err != nil {
		return nil, err
	}
	whole := pairs{
		{"openapi", "3.1.0"},
		{"info", info.pairs()},
		{"servers", []any{pairs{{"url", base}}}},
		{"tags", info.tags(rows)},
		{"paths", paths},
		{"components", components},
	}
	return append(codec.AppendIndented(nil, whole, ""), '\n'), nil
}

// pairs is a JSON object in a document.
type pairs = codec.Pairs

// document is an OpenAPI document under construction.
type document struct {
	*codec.Schemas
	seen    map[string]bool // names, methods and paths of operations
	schemes map[string]bool // security schemes that operations refer to
}

// prepare checks a route and collects the structs it uses.
func (d *document) prepare(row *Route) error {
	if err := row.fault(); err != nil {
		return err
	}
	for _, name := range []string{row.Method + " " + row.Path, row.Name} {
		if d.seen[name] || name == "" {
			return fmt.Errorf("%s %s: %q is empty or already used", row.Method, row.Path, name)
		}
		d.seen[name] = true
	}
	p, err := planOf(row.in)
	if err != nil {
		return err
	}
	for i := range p.parts {
		if err := d.Collect(&p.parts[i].shape, row.mode()); err != nil {
			return err
		}
	}
	if p.body != nil {
		if err := d.Collect(&p.body.shape, row.mode()); err != nil {
			return err
		}
	}
	answer, err := replyOf(row.out)
	if err != nil || !answer.isJSON() && !answer.events {
		return err
	}
	return d.Collect(&answer.shape, codec.InAnswer)
}

func (r *Route) mode() codec.Mode {
	if r.Strict {
		return codec.InStrictRequest
	}
	return codec.InRequest
}

func (i Info) pairs() pairs {
	p := pairs{{"title", i.Title}, {"version", i.Version}}
	if i.Description != "" {
		p = p.With("description", i.Description)
	}
	if i.License != "" {
		p = p.With("license", pairs{{"name", i.License}, {"identifier", i.License}})
	}
	return p
}

// tags returns the tags that have at least one operation.
func (i Info) tags(rows []Route) []any {
	all := []any{}
	for _, t := range i.Tags {
		if slices.ContainsFunc(rows, func(r Route) bool { return r.Tag == t.Name }) {
			all = append(all, pairs{{"name", t.Name}, {"description", t.Description}})
		}
	}
	return all
}

// components returns the components of the document and replaces what they share
// in paths. It must be called after operation, which records schemas and security
// schemes.
func (d *document) components(paths pairs) (pairs, error) {
	made := share(paths)
	named := contentOf(pairs{{"paths", paths}, {"made", made}, {"schemas", errorSchemas()}})
	unnamed := func(kind string) func(codec.Pair) bool {
		return func(p codec.Pair) bool { return !strings.Contains(named, `"#/components/`+kind+"/"+p.Name+`"`) }
	}
	schemas := append(slices.DeleteFunc(errorSchemas(), unnamed("schemas")), member(made, "schemas")...)
	schemas = append(schemas, d.Components()...)
	slices.SortFunc(schemas, func(a, b codec.Pair) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(schemas); i++ {
		if schemas[i].Name == schemas[i-1].Name {
			return nil, fmt.Errorf("two schemas of the document have the name %s", schemas[i].Name)
		}
	}
	return append(pairs{{"schemas", schemas}}, made.Without("schemas").
		With("headers", slices.DeleteFunc(sharedHeaders(), unnamed("headers"))).
		With("securitySchemes", d.usedSchemes())...), nil
}
