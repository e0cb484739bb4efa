package wire

import (
	"mime"
	"net/http"
)

// File is an answer that is not JSON. A struct that embeds it tells the document
// what it may be: `media:"application/pdf,text/csv"`. A pointer beside it that is
// tagged `instead:"json"` is answered as JSON in its place, where it is not nil.
type File struct {
	Type   string // the media type
	Name   string // what it is saved as
	Bytes  []byte
	Inline bool // shown in place, not saved
}

// describe sets the headers that say what the file is.
func (f File) describe(header http.Header) {
	header.Set("Content-Type", f.Type)
	how := "attachment"
	if f.Inline {
		how = "inline"
	}
	params := map[string]string{}
	if f.Name != "" {
		params["filename"] = f.Name
	}
	header.Set("Content-Disposition", mime.FormatMediaType(how, params))
}
