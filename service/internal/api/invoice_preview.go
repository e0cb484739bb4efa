package api

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
)

// issuedID and issuedMarks hold the fields that only an issued invoice has.
type issuedID struct {
	UUID uuid.UUID `json:"uuid" doc:"UUID of the invoice."`
}

type issuedMarks struct {
	Counter        int64     `json:"counter" doc:"Position in the device's chain."`
	Hash           string    `json:"invoice_hash" doc:"Hash of the document in base64."`
	PreviousHash   string    `json:"previous_invoice_hash" doc:"Hash of the previous document of the device in base64."`
	IdempotencyKey *string   `json:"idempotency_key" doc:"Idempotency-Key the invoice was created with; null if there was none."`
	CreatedAt      time.Time `json:"created_at" doc:"Time the invoice was created."`
}

func marksOf(i ledger.Invoice) issuedMarks {
	return issuedMarks{i.Counter, i.Hash, i.PreviousHash, textOrNull(i.IdempotencyKey), i.CreatedAt}
}

// previewID and previewMarks hold the same fields in a preview, where they are
// null.
type previewID struct {
	UUID *uuid.UUID `json:"uuid" doc:"Always null: a preview is not an invoice."`
}

type previewMarks struct {
	Counter        *int64     `json:"counter" doc:"Always null: a preview has no place in the device's chain."`
	Hash           *string    `json:"invoice_hash" doc:"Always null: a preview is not signed."`
	PreviousHash   *string    `json:"previous_invoice_hash" doc:"Always null: a preview has no place in the device's chain."`
	IdempotencyKey *string    `json:"idempotency_key" doc:"Always null: a preview has no Idempotency-Key."`
	CreatedAt      *time.Time `json:"created_at" doc:"Always null: a preview is not stored."`
}

// InvoicePreview is an invoice as it would be issued.
type InvoicePreview struct {
	previewID
	invoiceHead
	previewMarks
	Device uuid.UUID `json:"device" doc:"UUID of the issuing device."`
	Seller party     `json:"seller" doc:"The seller."`
	Buyer  *buyerOut `json:"buyer" doc:"The buyer; null if the document names no buyer."`
	Lines  []lineOut `json:"lines" doc:"The lines. The issued invoice has other UUIDs of lines."`
}

// InvoicePreviewed is the response to a preview.
type InvoicePreviewed struct {
	Message string         `json:"message" doc:"Human-readable result, such as Preview: nothing was issued."`
	Invoice InvoicePreview `json:"invoice" doc:"The invoice as it would be issued."`
}

// PreviewedOf returns the response for a previewed invoice.
func (s *Surface) PreviewedOf(shown ledger.Invoice) *InvoicePreviewed {
	return &InvoicePreviewed{Message: "Preview: nothing was issued.", Invoice: InvoicePreview{
		invoiceHead: s.headOf(shown), Device: shown.Device, Seller: sellerOut(shown.Record.Seller),
		Buyer: s.buyerAsIssued(shown.Record.Buyer), Lines: linesOf(shown.Record),
	}}
}
