package issue

import (
	"context"
	"fmt"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/ubl"
)

// PreviewXML is like Preview and also returns the XML of the document, with the
// given number but without a stamp and a chain position. Shared drafts are
// rendered from this XML.
func (i *Issuer) PreviewXML(ctx context.Context, by org.Actor, r Request, number string) (ledger.Invoice, []byte, error) {
	p, shown, err := i.preview(ctx, by, r)
	if err != nil {
		return ledger.Invoice{}, nil, err
	}
	document, err := p.shown(number, previewID, shown.IssuedAt)
	if err != nil {
		return ledger.Invoice{}, nil, fmt.Errorf("build draft %s: %w", number, err)
	}
	canon, err := ubl.Write(document)
	if err != nil {
		return ledger.Invoice{}, nil, fmt.Errorf("write draft %s: %w", number, err)
	}
	shown.Number = number
	return shown, canon.Bytes(), nil
}
