package wire

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/go-chi/chi/v5"

	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
)

// readParams decodes the parameters of path, query and header. If a parameter is
// given more than once, the first value is used, except for lists. Unknown
// parameters are ignored.
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
					c.Add("query", fault.Problem{Message: "must be a valid query string", MessageAR: "يجب أن تكون معاملات الرابط صالحة.", Code: fault.InvalidFormat})
				}
			}
			given = query[one.Name]
		}
		one.read(c, given, codec.FieldAt(v, one.Index))
	}
}

// pathValue returns an unescaped path parameter. If the path was sent with
// unusual escapes, the router has matched it in its escaped form.
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

// mended corrects values that cannot be valid as sent. In a query an unescaped
// plus sign in the offset of a time becomes a space; a time contains no other
// space. A path parameter with forbidden characters becomes empty, so that it is
// reported as not found like any unknown name.
func (p *param) mended(text string) string {
	switch {
	case p.Shape.Kind == codec.KindTime:
		return strings.Replace(text, " ", "+", 1)
	case p.place == "path" && p.Shape.Kind == codec.KindText && codec.Forbidden(text) != "":
		return ""
	}
	return text
}
