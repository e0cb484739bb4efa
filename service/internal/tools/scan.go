package tools

import (
	"context"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"khatm/qr"
	"khatm/service/internal/wire"
)

// maxScan holds the longest text that is looked at, and what JSON puts around it.
const maxScan = 1<<20 + 1<<10

func (s *Surface) scanRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/public/scan-qr-code/", Name: "scan-qr-code", Tag: tagTools, Access: wire.Public, Strict: true, MaxBody: maxScan,
			Summary: "Decode the QR code of an invoice",
			Doc: "Takes the base64 text that a scanner reads off the code, and gives its tags by name. Nothing is verified: a code can say anything. " +
				"A text that is no base64, is cut off or has a tag twice is a 400 with `detail`.",
			Example: `{"qr_base64":"AQ1LaGF0bSBUcmFkaW5nAg8zMTAxNzUzOTc0MDAwMDMDEzIwMjYtMDEtMTVUMDk6MTU6MzAEBjExNS4wMAUFMTUuMDA="}`,
		}, scan),
	}
}

type scanning struct {
	Body struct {
		Code string `json:"qr_base64" doc:"The text of the code: base64 of tags, lengths and values."`
	} `body:"json"`
}

type scanned struct {
	Tags map[string]string `json:"tags" doc:"seller_name, vat_registration_number, timestamp, invoice_total_with_vat, vat_amount; of a stamped document also invoice_hash, invoice_hash_signature, egs_public_key (base64) and zatca_ca_signature_of_egs_csr (base64). Any other tag is unknown_tag_ and its number (base64)."`
	Branded
}

func scan(_ context.Context, _ wire.Caller, in *scanning) (*scanned, error) {
	tags, err := tagsOf(in.Body.Code)
	if err != nil {
		return nil, refused(capital(err.Error()))
	}
	return &scanned{Tags: tags, Branded: Brand()}, nil
}

// tagNames are the names of the tags whose values are text.
var tagNames = [...]string{
	1: "seller_name", 2: "vat_registration_number", 3: "timestamp", 4: "invoice_total_with_vat", 5: "vat_amount",
	6: "invoice_hash", 7: "invoice_hash_signature", 8: "egs_public_key", 9: "zatca_ca_signature_of_egs_csr",
}

// binaryTag is the first whose value is no text.
const binaryTag = 8

// tagsOf reads a code: each tag that it has by its name. What a person copies may
// have white space around it.
func tagsOf(code string) (map[string]string, error) {
	code = strings.TrimSpace(code)
	if _, _, err := qr.Read(code); err != nil { // a tag that stands twice, a text that is none
		return nil, err
	}
	fields, err := qr.Decode(code)
	if err != nil {
		return nil, err
	}
	tags := make(map[string]string, len(fields))
	for _, f := range fields {
		switch {
		case f.Tag == 0 || int(f.Tag) >= len(tagNames):
			tags["unknown_tag_"+strconv.Itoa(int(f.Tag))] = base64.StdEncoding.EncodeToString(f.Value)
		case f.Tag >= binaryTag:
			tags[tagNames[f.Tag]] = base64.StdEncoding.EncodeToString(f.Value)
		default:
			tags[tagNames[f.Tag]] = string(f.Value)
		}
	}
	return tags, nil
}
