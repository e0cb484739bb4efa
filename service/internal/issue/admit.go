package issue

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
)

// admission lists the checks that a request must pass before it is computed,
// in the order in which they run. The first failure is returned.
var admission = []func(p *prepared, now time.Time) error{
	badTransactionCode,
	sellerOfAnother,
	deviceMissing,
	deviceNotReady,
	transactionForbidden,
	buyerMissing,
	buyerNotRegistered,
	buyerSellsToItself,
	linesMissing,
	itemMissing,
	pricedTwice,
	quantityTooFine,
	unknownCurrency,
	exportWithOtherLines,
	termsMissing,
	reasonMissing,
	originalsStray,
	originalsMissing,
	originalsWrong,
	linesOfOthers,
	advancesStray,
	advancesWrong,
	amountsWrong,
}

func badTransactionCode(p *prepared, _ time.Time) (err error) {
	if refusal := CheckTransaction(p.Transaction); refusal != nil {
		return refusal
	}
	p.transaction, err = invoice.ParseTransaction(p.Transaction)
	return err
}

// CheckTransaction returns an error if no document has this transaction code.
func CheckTransaction(code string) *fault.Error {
	switch code {
	case "0100000", "0200000", "0100100":
		return nil
	}
	return badTransaction.refuse()
}

func sellerOfAnother(p *prepared, _ time.Time) error {
	if p.Seller != p.seller.ID {
		return foreignSeller.refuse()
	}
	return nil
}

func deviceMissing(p *prepared, _ time.Time) error {
	if p.device == nil {
		return unknownDevice.refuse()
	}
	return nil
}

func deviceNotReady(p *prepared, now time.Time) error { return cannotIssue(p.device, now) }

func transactionForbidden(p *prepared, _ time.Time) error {
	simplified := p.transaction.Simplified
	switch p.device.InvoiceType {
	case device.Both:
		return nil
	case device.StandardOnly:
		if !simplified {
			return nil
		}
	case device.SimplifiedOnly:
		if simplified {
			return nil
		}
	}
	return deviceForbids.refuse(p.device.InvoiceType, p.Transaction)
}

func buyerMissing(p *prepared, _ time.Time) error {
	switch {
	case p.Buyer != uuid.Nil && p.buyer == nil:
		return unknownBuyer.refuse()
	case p.buyer == nil && !p.transaction.Simplified:
		return missingBuyer.refuse()
	}
	return nil
}

func buyerNotRegistered(p *prepared, _ time.Time) error {
	if p.transaction.Simplified || p.buyer.VATNumber != "" {
		return nil
	}
	if p.transaction.Export && !p.buyer.Saudi() {
		if len(p.buyer.Identifications) == 0 {
			return foreignBuyerWithoutID.refuse()
		}
		return nil
	}
	return buyerWithoutVAT.refuse()
}

func buyerSellsToItself(p *prepared, _ time.Time) error {
	if p.buyer != nil && p.buyer.VATNumber != "" && p.buyer.VATNumber == p.seller.VATNumber {
		return buyerIsSeller.refuse()
	}
	return nil
}

func linesMissing(p *prepared, _ time.Time) error {
	switch {
	case len(p.Lines) > 0 && len(p.FormLines) > 0:
		return linesTwice.refuse()
	case p.lineCount() == 0:
		return noLines.refuse()
	}
	return nil
}

func itemMissing(p *prepared, _ time.Time) error {
	for n, l := range p.Lines {
		item, known := p.items[l.Item]
		switch {
		case !known:
			return unknownItem.refuse(n)
		case !item.Active:
			return p.refuseLine(inactiveItem, n, "item_id", item.Name)
		}
	}
	return nil
}

func pricedTwice(p *prepared, _ time.Time) error {
	for n, l := range p.FormLines {
		if !l.Price.IsZero() && !l.GrossPrice.IsZero() {
			return twoPrices.refuseField("form_lines." + strconv.Itoa(n) + ".item_gross_price")
		}
	}
	return nil
}

// quantityTooFine refuses a quantity that cannot be rounded to the decimal places
// of a document without changing an amount.
func quantityTooFine(p *prepared, _ time.Time) error {
	for n, l := range p.factLines() {
		if _, ok := l.RoundQuantity(); !ok {
			return fineQuantity.refuseField(p.field("lines." + strconv.Itoa(n) + ".invoiced_quantity"))
		}
	}
	return nil
}

// unknownCurrency refuses a currency that is not on the authority's list, with
// the text of the rule. That list is older than the current ISO 4217 list.
func unknownCurrency(p *prepared, _ time.Time) error {
	if codes.IsCurrency(p.Currency) {
		return nil
	}
	return refuseByRule("BR-CL-04", "currency")
}

func exportWithOtherLines(p *prepared, _ time.Time) error {
	if !p.transaction.Export {
		return nil
	}
	for n, l := range p.factLines() {
		code := l.Tax.ReasonCode
		if l.Tax.Category != codes.ZeroRated || code != codes.ExportOfGoods && code != codes.ExportOfServices {
			return p.refuseLine(exportLines, n, "")
		}
	}
	return nil
}

func termsMissing(p *prepared, _ time.Time) error {
	if p.PaymentMeans == codes.CreditTransfer && p.Reason == uuid.Nil {
		return missingTerms.refuse()
	}
	return nil
}

func reasonMissing(p *prepared, _ time.Time) error {
	switch {
	case p.Reason != uuid.Nil && (p.reason == nil || !p.reason.Active):
		return unknownReason.refuse()
	case p.reason == nil && p.kind().IsNote():
		return noteWithoutReason.refuse()
	}
	return nil
}
