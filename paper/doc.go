// Package paper is the invoice on paper: it draws a UBL document as a PDF/A-3
// that carries the same document inside.
//
// Draw is given the bytes of the document and nothing else about the sale, and
// prints only what it reads there, so that page and document cannot disagree.
// Amounts are printed as they are written, with separators between thousands
// and two decimal places at least; nothing is computed again. A document
// without a stamp, or whose QR code says something else than it does, is marked
// as no tax invoice and has no QR code, whoever asks.
//
// A page has two layers of work. The content (content*.go) is what is said, in
// order, for any paper; the layout (layout.go and the files of its parts) is
// where it stands. The package knows no store, no clock and no status: whether
// a document may be drawn at all is for its caller to say.
package paper
