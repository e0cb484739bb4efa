package wire

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/go-chi/chi/v5"

	"khatm/service/internal/codec"
)

// readParams reads the values of path, query and header. Of a parameter given
// more than once the first counts, except for lists; what has no field is ignored.
func (p *plan) readParams(c *codec.Problems, r *http.Request, v reflect.Value) {
	var query url.Values
	for i := range p.params {
		one := &p.params[i]
		var given []string
		switch one.place {
		case "path":
			given = []string{pathValue(r, one.Name)}
		case "header":
			given = r.Header.Values(one.Name)
		default:
			if query == nil {
				var err error
				if query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
					c.Add("query", "Input should be a valid query string")
				}
			}
			given = query[one.Name]
		}
		one.read(c, given, codec.FieldAt(v, one.Index))
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

func (p *param) read(c *codec.Problems, given []string, v reflect.Value) {
	if len(given) > 0 && p.Shape.Kind != codec.KindList {
		given = []string{p.mended(given[0])}
	}
	p.ReadTexts(c, given, v)
}

// mended is what a parameter means whose text cannot be one. A query turns the
// plus sign of a time's offset into a space, if it was not escaped; no time holds
// a space otherwise. A path that no text may be names nothing, like any other
// name that nobody has.
func (p *param) mended(text string) string {
	switch {
	case p.Shape.Kind == codec.KindTime:
		return strings.Replace(text, " ", "+", 1)
	case p.place == "path" && p.Shape.Kind == codec.KindText && codec.Forbidden(text) != "":
		return ""
	}
	return text
}
