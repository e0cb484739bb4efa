package tools

import (
	"context"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"khatm/qr"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
)

// maxScan is the maximum size of a code with the JSON around it.
const maxScan = 1<<20 + 1<<10

func (s *Surface) scanRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/public/scan-qr-code/", Name: "scan-qr-code", Tag: tagTools, Access: wire.Public, Strict: true, MaxBody: maxScan,
			Codes:   []fault.Code{fault.InvalidQR},
			Summary: "Decode the QR code of an invoice",
			Doc: "Decodes the base64 text of the code, as read by a scanner, and returns its tags by name. Nothing is verified. " +
				"Text that is not base64, is incomplete or has a tag twice is refused with a 400 and `detail`.",
			Example: `{"qr_base64":"AQ1LaGF0bSBUcmFkaW5nAg8zMTAxNzUzOTc0MDAwMDMDEzIwMjYtMDEtMTVUMDk6MTU6MzAEBjExNS4wMAUFMTUuMDA="}`,
		}, scan),
	}
}

type scanning struct {
	Body struct {
		Code string `json:"qr_base64" doc:"Text of the QR code: tags, lengths and values in base64."`
	} `body:"json"`
}

type scanned struct {
	Tags map[string]string `json:"tags" doc:"Values by name: seller_name, vat_registration_number, timestamp, invoice_total_with_vat and vat_amount; for a stamped document also invoice_hash, invoice_hash_signature, egs_public_key (base64) and zatca_ca_signature_of_egs_csr (base64). An unknown tag is named unknown_tag_ followed by its number (base64)."`
	Branded
}

func scan(_ context.Context, _ wire.Caller, in *scanning) (*scanned, error) {
	tags, err := tagsOf(in.Body.Code)
	if err != nil {
		return nil, refused(fault.InvalidQR, capital(err.Error()))
	}
	return &scanned{Tags: tags, Branded: Brand()}, nil
}

// tagNames holds the names of the tags by number.
var tagNames = [...]string{
	1: "seller_name", 2: "vat_registration_number", 3: "timestamp", 4: "invoice_total_with_vat", 5: "vat_amount",
	6: "invoice_hash", 7: "invoice_hash_signature", 8: "egs_public_key", 9: "zatca_ca_signature_of_egs_csr",
}

// binaryTag is the first tag whose value is not text.
const binaryTag = 8

// tagsOf decodes a code into its tags by name. White space around the code, as
// from copying, is ignored.
func tagsOf(code string) (map[string]string, error) {
	code = strings.TrimSpace(code)
	if _, _, err := qr.Read(code); err != nil { // refuse duplicate tags and invalid text
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
