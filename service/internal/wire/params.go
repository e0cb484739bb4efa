package wire

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"khatm/jsontree"

	"github.com/go-chi/chi/v5"
)

// readParams reads the values of path, query and header. Of a parameter given
// more than once the first counts, except for lists; what has no field is ignored.
func (p *plan) readParams(c *complaints, r *http.Request, v reflect.Value) {
	var query url.Values
	for i := range p.params {
		one := &p.params[i]
		var given []string
		switch one.place {
		case "path":
			given = []string{pathValue(r, one.name)}
		case "header":
			given = r.Header.Values(one.name)
		default:
			if query == nil {
				var err error
				if query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
					c.add("query", "Input should be a valid query string")
				}
			}
			given = query[one.name]
		}
		one.read(c, given, fieldOf(v, one.index))
	}
}

// pathValue gives a part of the path without its escapes. Where a path was sent
// with escapes of its own choosing, the router matched it as it was sent.
func pathValue(r *http.Request, name string) string {
	value := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return value
	}
	if plain, err := url.PathUnescape(value); err == nil {
		return plain
	}
	return value
}

func (p *param) read(c *complaints, given []string, v reflect.Value) {
	if len(given) == 0 {
		if p.required {
			c.add(p.name, fieldRequired)
		} else if p.fallback.IsValid() {
			p.shape.target(v).Set(p.fallback)
		}
		return
	}
	if p.shape.kind == kindList {
		p.readList(c, given, p.shape.target(v))
		return
	}
	text := p.unspaced(given[0])
	if p.place == "path" && p.shape.kind == kindText && forbidden(text) != "" {
		text = "" // it names nothing, like any other name that nobody has
	}
	if problem := p.shape.setText(p.shape.target(v), text); problem != "" {
		c.add(p.name, problem)
	}
}

// target is where the value goes: behind the pointer, if the field is one.
func (s *shape) target(v reflect.Value) reflect.Value {
	if !s.null {
		return v
	}
	v.Set(reflect.New(s.goType))
	return v.Elem()
}

// unspaced mends the offset of a time whose plus sign was not escaped, which a
// query turns into a space. No time holds a space otherwise.
func (p *param) unspaced(text string) string {
	if p.shape.kind == kindTime {
		return strings.Replace(text, " ", "+", 1)
	}
	return text
}

// readList reads values with commas between them, given at once or one by one.
func (p *param) readList(c *complaints, given []string, v reflect.Value) {
	values := strings.Split(strings.Join(given, ","), ",")
	if len(values) == 1 && values[0] == "" {
		values = nil
	}
	if problem := p.shape.rule.items(len(values)); problem != "" {
		c.add(p.name, problem)
		return
	}
	v.Set(reflect.MakeSlice(p.shape.goType, len(values), len(values)))
	for i, text := range values {
		if problem := p.shape.item.setText(v.Index(i), text); problem != "" {
			c.addAt(p.name, []jsontree.Step{{Index: i}}, problem)
		}
	}
}
