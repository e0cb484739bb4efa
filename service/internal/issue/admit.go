package issue

import (
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/service/internal/device"
)

// admission is the table of our own refusals, in the order in which they are
// told. One refusal, one row.
var admission = []func(d *draft, now time.Time) error{
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
}

func badTransactionCode(d *draft, _ time.Time) error {
	switch d.Transaction {
	case "0100000", "0200000", "0100100":
		transaction, err := invoice.ParseTransaction(d.Transaction)
		d.transaction = transaction
		return err
	}
	return badTransaction.refuse()
}

func sellerOfAnother(d *draft, _ time.Time) error {
	if d.Seller != d.seller.ID {
		return foreignSeller.refuse()
	}
	return nil
}

func deviceMissing(d *draft, _ time.Time) error {
	if d.device == nil {
		return unknownDevice.refuse()
	}
	return nil
}

func deviceNotReady(d *draft, now time.Time) error { return cannotIssue(d.device, now) }

func transactionForbidden(d *draft, _ time.Time) error {
	simplified := d.transaction.Simplified
	switch d.device.InvoiceType {
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
	return deviceForbids.refuse(d.device.InvoiceType, d.Transaction)
}

func buyerMissing(d *draft, _ time.Time) error {
	switch {
	case d.Buyer != uuid.Nil && d.buyer == nil:
		return unknownBuyer.refuse()
	case d.buyer == nil && !d.transaction.Simplified:
		return missingBuyer.refuse()
	}
	return nil
}

func buyerNotRegistered(d *draft, _ time.Time) error {
	if d.transaction.Simplified || d.buyer.VATNumber != "" {
		return nil
	}
	if d.transaction.Export && !d.buyer.Saudi() {
		if len(d.buyer.Identifications) == 0 {
			return foreignBuyerWithoutID.refuse()
		}
		return nil
	}
	return buyerWithoutVAT.refuse()
}

func buyerSellsToItself(d *draft, _ time.Time) error {
	if d.buyer != nil && d.buyer.VATNumber != "" && d.buyer.VATNumber == d.seller.VATNumber {
		return buyerIsSeller.refuse()
	}
	return nil
}

func linesMissing(d *draft, _ time.Time) error {
	switch {
	case len(d.Lines) > 0 && len(d.FormLines) > 0:
		return linesTwice.refuse()
	case d.lineCount() == 0:
		return noLines.refuse()
	}
	return nil
}

func itemMissing(d *draft, _ time.Time) error {
	for n, l := range d.Lines {
		item, known := d.items[l.Item]
		switch {
		case !known:
			return unknownItem.refuse(n)
		case !item.Active:
			return inactiveItem.refuse(item.Name)
		}
	}
	return nil
}

// unknownCurrency is told as the rule that the authority would refuse it by:
// its list of currencies is older than ISO's.
func unknownCurrency(d *draft, _ time.Time) error {
	if codes.IsCurrency(d.Currency) {
		return nil
	}
	return refuseByRule("BR-CL-04", "currency")
}

func exportWithOtherLines(d *draft, _ time.Time) error {
	if !d.transaction.Export {
		return nil
	}
	for _, l := range d.factLines() {
		code := l.Tax.ReasonCode
		if l.Tax.Category != codes.ZeroRated || code != codes.ExportOfGoods && code != codes.ExportOfServices {
			return exportLines.refuse()
		}
	}
	return nil
}

func termsMissing(d *draft, _ time.Time) error {
	if d.PaymentMeans == codes.CreditTransfer && d.Reason == uuid.Nil {
		return missingTerms.refuse()
	}
	return nil
}

func reasonMissing(d *draft, _ time.Time) error {
	switch {
	case d.Reason != uuid.Nil && (d.reason == nil || !d.reason.Active):
		return unknownReason.refuse()
	case d.reason == nil && d.kind().IsNote():
		return noteWithoutReason.refuse()
	}
	return nil
}
