package wire

import (
	"mime"
	"net/http"
)

// File is a response that is not JSON. A struct that embeds it declares the
// possible media types in a tag: `media:"application/pdf,text/csv"`. If the
// struct also has a pointer with the tag `instead:"json"` that is not nil, its
// value is sent as JSON instead of the file.
type File struct {
	Type   string // media type
	Name   string // file name for saving
	Bytes  []byte
	Inline bool // display in the browser instead of saving
}

// describe sets the headers Content-Type and Content-Disposition.
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
