package fault

import "slices"

// Codes of invoice requests. Their texts are in package issue.
const (
	BadTransaction        Code = "invalid_transaction_code"
	ForeignSeller         Code = "seller_not_yours"
	UnknownDevice         Code = "device_not_found"
	DeviceCannotIssue     Code = "device_not_ready"
	DeviceRetired         Code = "device_retired"
	DeviceExpired         Code = "device_certificate_expired"
	DeviceForbids         Code = "device_type_mismatch"
	UnknownBuyer          Code = "unknown_buyer"
	MissingBuyer          Code = "buyer_required"
	BuyerWithoutVAT       Code = "buyer_vat_number_required"
	ForeignBuyerWithoutID Code = "buyer_id_required"
	BuyerIsSeller         Code = "buyer_is_seller"
	LinesTwice            Code = "lines_and_form_lines"
	NoLines               Code = "lines_required"
	UnknownItem           Code = "unknown_item"
	InactiveItem          Code = "item_inactive"
	ShortStock            Code = "stock_too_low"
	ExportLines           Code = "export_lines_not_zero_rated"
	MissingTerms          Code = "payment_terms_required"
	UnknownReason         Code = "unknown_reason"
	StrayOriginals        Code = "original_not_allowed"
	StrayLineReference    Code = "invoice_line_id_not_allowed"
	NoteWithoutOriginals  Code = "original_required"
	NoteWithoutReason     Code = "reason_required"
	UnknownOriginal       Code = "original_not_found"
	OriginalNotAccepted   Code = "original_not_accepted"
	OriginalKind          Code = "original_is_credit_note"
	OriginalDiffers       Code = "original_differs"
	OriginalTwice         Code = "original_repeated"
	OriginalExceeded      Code = "credit_exceeds_original"
	UnknownLine           Code = "original_line_not_found"
	AdvanceCreditedAlone  Code = "advance_credited_with_others"
	AdvanceExceeded       Code = "credit_exceeds_advance"
	PrepaidDisagrees      Code = "prepaid_fields_contradict"
	PrepaidNotHere        Code = "prepaid_not_allowed"
	UnknownAdvance        Code = "advance_not_found"
	AdvanceNotAccepted    Code = "advance_not_accepted"
	AdvanceDiffers        Code = "advance_differs"
	AdvanceSpent          Code = "advance_spent"
	AdvanceTwice          Code = "advance_repeated"
	TwoPrices             Code = "two_prices"
	QuantityDecimals      Code = "quantity_decimals"
	AdvanceUnused         Code = "advance_not_usable"
	AdvanceVATExceeded    Code = "credit_exceeds_advance_vat"
	AmountNotListed       Code = "prepaid_amount_not_listed"
	AmountTwice           Code = "prepaid_amount_repeated"
	AmountMissing         Code = "prepaid_amount_missing"
	AmountAboveAdvance    Code = "prepaid_amount_exceeds_advance"
	AmountAboveInvoice    Code = "prepaid_amount_exceeds_invoice"
	DuplicateInvoice      Code = "duplicate_invoice"
	KeyReused             Code = "idempotency_key_reused"
	RuleViolated          Code = "rule_violated"
)

var (
	// previewCodes are the codes of an invoice that cannot be issued.
	previewCodes = []Code{
		BadTransaction,
		ForeignSeller,
		UnknownDevice,
		DeviceCannotIssue,
		DeviceRetired,
		DeviceExpired,
		DeviceForbids,
		UnknownBuyer,
		MissingBuyer,
		BuyerWithoutVAT,
		ForeignBuyerWithoutID,
		BuyerIsSeller,
		LinesTwice,
		NoLines,
		UnknownItem,
		InactiveItem,
		ShortStock,
		ExportLines,
		MissingTerms,
		UnknownReason,
		StrayOriginals,
		StrayLineReference,
		NoteWithoutOriginals,
		NoteWithoutReason,
		UnknownOriginal,
		OriginalNotAccepted,
		OriginalKind,
		OriginalDiffers,
		OriginalTwice,
		OriginalExceeded,
		UnknownLine,
		AdvanceCreditedAlone,
		AdvanceExceeded,
		PrepaidDisagrees,
		PrepaidNotHere,
		UnknownAdvance,
		AdvanceNotAccepted,
		AdvanceDiffers,
		AdvanceSpent,
		AdvanceTwice,
		AdvanceUnused,
		AdvanceVATExceeded,
		AmountNotListed,
		AmountTwice,
		AmountMissing,
		AmountAboveAdvance,
		AmountAboveInvoice,
		RuleViolated,
	}

	// fieldCodes are the codes of invalid fields of an invoice. They are only in the
	// list errors.
	fieldCodes = []Code{TwoPrices, QuantityDecimals}

	// repeatCodes are the codes of a repeated request.
	repeatCodes = []Code{DuplicateInvoice, KeyReused}
)

// OfPreview returns the codes with which the preview of an invoice can be
// refused because of its content or of the state of the service.
func OfPreview() []Code {
	return append(slices.Clone(previewCodes), IssuingStopped, InvoiceDamaged)
}

// OfCreate returns the codes with which an invoice can be refused when it is
// created.
func OfCreate() []Code {
	return append(append(OfPreview(), repeatCodes...), MonthlyAllowance, NotIssued, OutcomeUnknown, KeyLookupFailed)
}
