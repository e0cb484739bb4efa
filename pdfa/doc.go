// Package pdfa writes PDF files that conform to PDF/A-3A and PDF/UA-1 and can
// contain embedded files. It also reads untrusted PDFs: their embedded files, and
// the texts and pictures of their pages.
//
// A [Document] draws text in any language, including bidirectional and Arabic
// text, and lines, paths and images. Everything is drawn either into an element
// of the structure tree or as an artifact, so that no content is untagged. The
// same calls give the same bytes. [Extract] and [ReadPages] limit their use of
// memory and time and trust no information in the file without checking it.
//
// The package is independent of invoices. It accesses neither the file system
// nor the clock.
package pdfa
