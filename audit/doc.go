// Package audit checks that a store of invoices is correct: the chains of
// documents, their bytes, the authority's verdicts, the usage of the allowance
// and the audit trail. If they are available, it compares the journals of the
// simulator and of load clients with the store.
//
// It shares no code with the packages that it checks: it verifies documents with
// package witness and reads everything else itself. The caller provides the
// stored data as a [Source]; [Walk] reads it once and returns a [Report]. The
// package does not access a database and changes nothing.
//
// Memory use does not grow with the number of documents. Documents are streamed;
// data that must be compared across streams becomes records of fixed size, which
// are sorted in files that the caller provides ([Options.Scratch]). Memory use
// grows with the number of devices, months of usage and number series. Only the
// first faults are kept.
package audit
