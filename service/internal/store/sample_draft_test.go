package store_test

import (
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// sampleRequest returns a request with all fields that a draft stores.
func sampleRequest() issue.Request {
	expected, paid := decimalOf("123.45"), true
	return issue.Request{
		Device: uuid.Max, Seller: uuid.Max, Buyer: uuid.Max, Kind: 388, Transaction: "0100000", SupplyDate: "2026-11-15", SupplyEndDate: "2026-11-16",
		Currency: "SAR", ExchangeRate: decimalOf("1.50"), PaymentMeans: "30", Notes: []issue.Note{{Language: "ar", Text: "شكرًا"}},
		FormLines: []issue.FormLine{{
			Name: "Dates & تمر", Price: decimalOf("4200.00"), Quantity: decimalOf("2"), Unit: "PCE", Category: "E", Rate: decimalOf("0"),
			ReasonCode: "VATEX-SA-29", ReasonText: "Financial services", Original: uuid.Max,
		}},
		Lines:      []issue.CatalogueLine{{Item: uuid.Max, Quantity: decimalOf("1"), Original: uuid.Max}},
		Allowances: []issue.Allowance{{Amount: decimalOf("1.5"), ReasonCode: "95", Reason: "Discount", Category: "S", Rate: decimalOf("15")}},
		AddPrepaid: true, Prepaid: []uuid.UUID{uuid.Max}, Reason: uuid.Max, Originals: []uuid.UUID{uuid.Max}, ExpectedPayable: &expected,
		PrepaidAmounts: []issue.PrepaidAmount{{Advance: uuid.Max, Category: "S", Rate: decimalOf("15"), Amount: decimalOf("7.5")}},
		PaidOnIssue:    &paid,
		IdempotencyKey: "kept as given", Digest: [32]byte{1, 2, 3},
	}
}

// sampleDraft returns a new draft.
func sampleDraft(id uuid.UUID) share.Draft {
	return share.Draft{
		ID: id, Version: 3, Request: sampleRequest(), Recipient: share.Recipient{Name: "نورة", Email: "nora@example.com", Language: "ar"},
		CreatedBy: "mona@example.com", CreatedAt: instantOf(1), ChangedAt: instantOf(2), Summary: sampleSummary("1.50"),
	}
}

// sampleSummary returns the summary of a draft.
func sampleSummary(payable string) *share.Summary {
	amount := decimalOf(payable)
	return &share.Summary{Kind: 388, Transaction: "0100000", Currency: "SAR", Buyer: "Nora & Co", BuyerArabic: "نورة وشركاؤها", Lines: 2, Payable: &amount}
}

// sampleLink returns a link that expires the given hours after the start.
func sampleLink(mark byte, hours int) ledger.Share {
	return ledger.Share{Digest: digestOf(mark), Sealed: sealedSample(mark), Expires: instantOf(hours)}
}

// sampleShown returns the preview for a recipient.
func sampleShown(version int) *share.Shown {
	return &share.Shown{Version: version, XML: []byte("<Invoice>\x00</Invoice>"), Invoice: ledger.Invoice{
		Device: uuid.Max, Number: "DRAFT-01000000", Kind: invoice.TaxInvoice, Transaction: invoice.Transaction{Export: true},
		IssueDate: "2026-11-16", IssueTime: "12:34:56", IssuedAt: instantOf(3), Payment: ledger.Pending, Record: sampleRecord(uuid.Max, uuid.Max),
	}}
}

func sampleCode(version int) share.Code {
	return share.Code{Made: 2, Sealed: sealedSample(8), Version: version, At: instantOf(0), Expires: instantOf(1), Tries: 1}
}

// sampleLetter returns a queued e-mail without attempts.
func sampleLetter(id uuid.UUID, of org.Tenant) mail.Letter {
	return mail.Letter{
		ID: id, Of: of, To: "nora@example.com", Language: "ar", About: "draft approval code", Sealed: sealedSample(9),
		CreatedAt: instantOf(0), Expires: instantOf(5), State: mail.Queued, NextAt: instantOf(0),
	}
}

// fillFolder shares, approves and declines a draft, with a code and two e-mails.
func fillFolder(f *share.Folder, of org.Tenant, newID func() uuid.UUID) {
	link := sampleLink(0xd1, 720)
	f.Version++
	f.ChangedAt = f.ChangedAt.Add(time.Hour)
	f.Share, f.Shown, f.Code = &link, sampleShown(f.Version), sampleCode(f.Version)
	f.Summary = sampleSummary("99.95")
	f.Claim = &share.Claim{ID: uuid.Max, By: "mona@example.com", Since: instantOf(4), Until: instantOf(5), Many: 2}
	f.Approval = &share.Approval{Name: "نورة", Email: f.Recipient.Email, At: instantOf(4), Version: f.Version}
	f.Decline = &share.Decline{Name: "نورة", Email: f.Recipient.Email, Comment: "الكمية 3", At: instantOf(4), Version: f.Version}
	f.Letters = []mail.Letter{sampleLetter(newID(), of), sampleLetter(newID(), of)}
	f.Action, f.Details = "draft.approved", map[string]any{"name": "نورة"}
}
