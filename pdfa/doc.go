// Package pdfa writes PDF/A-3A files that are also PDF/UA-1, with other files
// embedded in them, and gets embedded files out of PDFs that anyone may have
// made.
//
// The writer draws text of any language in right order and shape, lines, paths
// and images. Everything is drawn either in an element of the structure tree or
// as an artifact; there is no third way, so that a file cannot lack tags by
// mistake. The same calls give the same bytes. The extractor works within
// bounds of memory and work, and believes nothing that a file says of itself.
//
// The package knows no invoice, reads no file and no clock.
package pdfa
