// Package paper renders a UBL invoice as a PDF/A-3 file, on A4 or as a receipt,
// and embeds the UBL document in the file.
//
// [Press.Draw] prints only what it reads in the document, so the page and the
// document always agree. Amounts are printed as written, with thousands
// separators and at least two decimal places, and deducted amounts with a minus
// sign. Only the totals of deducted advances, and the net price of one unit if the
// document has that of several units, are computed. A document without a stamp, or
// with a QR code that contradicts it, is marked as not being a tax invoice and
// printed without a QR code.
//
// The content (content*.go) is the text of the page in its order, independent of
// the paper size. The layout (layout.go and others) positions it. The package
// uses no storage and no clock, and does not know the status of an invoice: the
// caller decides whether a document may be rendered.
package paper
