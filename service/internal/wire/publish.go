package wire

import (
	"bytes"
	"net/http"
	"time"
)

// Publish serves the OpenAPI document of a surface below folder, in version 3.1
// and in 3.0 for older tools. It needs no key and has no rate limit.
func (f *Frame) Publish(info Info, base, folder string, rows []Route) error {
	v31, v30, err := Documents(info, base, rows)
	if err != nil {
		return err
	}
	f.Open(base+folder+"openapi.json", jsonPage(v31))
	f.Open(base+folder+"openapi-3.0.json", jsonPage(v30))
	return nil
}

// Documents returns the OpenAPI document of the routes in versions 3.1 and 3.0.
func Documents(info Info, base string, rows []Route) (v31, v30 []byte, err error) {
	if v31, err = Document(info, base, rows); err != nil {
		return nil, nil, err
	}
	v30, err = Downgrade(v31)
	return v31, v30, err
}

func jsonPage(body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		r.Header.Del("Range") // always send the whole document
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}
