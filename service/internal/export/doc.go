// Package export writes the documents of a period into a folder for an auditor:
// the signed XML, the copies with the authority's stamp, the verdicts, an index,
// the certificates, and a shell script that verifies all of it without Khatm. It
// changes nothing in the database.
package export
