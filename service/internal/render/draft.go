package render

import (
	"bytes"
	"context"
	"fmt"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Draft draws a document that has not been issued. Every page says that it is a
// draft, and the PDF contains neither a QR code nor the XML. It is not stored,
// because the draft may change.
func (r *Renderer) Draft(ctx context.Context, of org.Tenant, shown ledger.Invoice, xml []byte, f Form) (PDF, error) {
	seller, err := r.Keeper.Organisation(ctx, of)
	if err != nil {
		return PDF{}, err
	}
	out := PDF{Name: draftName(xml) + ".pdf"}
	o := r.options(f.whole(), shown)
	o.Draft = true
	if out.Data, _, err = r.draw(ctx, xml, seller.Logo, o); err != nil {
		return PDF{}, fmt.Errorf("draw a draft: %w", err)
	}
	return out, nil
}

// draftName returns the file name of a draft without its extension: the number
// in its first ID element, or "DRAFT".
func draftName(xml []byte) string {
	_, rest, _ := bytes.Cut(xml, []byte("<cbc:ID>"))
	number, _, _ := bytes.Cut(rest, []byte("</cbc:ID>"))
	plain := func(r rune) rune {
		if r == '-' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}
	if name := string(bytes.Map(plain, number)); name != "" {
		return name
	}
	return "DRAFT"
}
