package wire

import (
	"bytes"
	"net/http"
	"time"
)

// Publish serves the document of a surface below a folder of it, in OpenAPI 3.1
// and in 3.0 for tools that read no newer one. Nobody needs a key or is counted
// for reading them.
func (f *Frame) Publish(info Info, base, folder string, rows []Route) error {
	v31, v30, err := Documents(info, base, rows)
	if err != nil {
		return err
	}
	f.Open(base+folder+"openapi.json", jsonPage(v31))
	f.Open(base+folder+"openapi-3.0.json", jsonPage(v30))
	return nil
}

// Documents describes rows in both versions of OpenAPI.
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
		r.Header.Del("Range") // a part of a document is no document
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}
