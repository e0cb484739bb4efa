package wire

import (
	"bytes"
	"net/http"
	"sync"
	"time"
)

// Publish serves the OpenAPI document of a surface below folder, in version 3.1
// and in 3.0 for older tools. It needs no key and has no rate limit. The
// documents are built when one is requested for the first time.
func (f *Frame) Publish(info Info, base, folder string, rows []Route) {
	type documents struct{ v31, v30 []byte }
	build := sync.OnceValues(func() (documents, error) {
		v31, v30, err := Documents(info, base, rows)
		return documents{v31, v30}, err
	})
	f.Open(base+folder+"openapi.json", f.jsonPage(func() ([]byte, error) {
		d, err := build()
		return d.v31, err
	}))
	f.Open(base+folder+"openapi-3.0.json", f.jsonPage(func() ([]byte, error) {
		d, err := build()
		return d.v30, err
	}))
}

// Documents returns the OpenAPI document of the routes in versions 3.1 and 3.0.
func Documents(info Info, base string, rows []Route) (v31, v30 []byte, err error) {
	if v31, err = Document(info, base, rows); err != nil {
		return nil, nil, err
	}
	v30, err = Downgrade(v31)
	return v31, v30, err
}

// jsonPage returns a handler that serves the document returned by build.
func (f *Frame) jsonPage(build func() ([]byte, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := build()
		if err != nil {
			f.refuse(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		r.Header.Del("Range") // always send the whole document
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}
