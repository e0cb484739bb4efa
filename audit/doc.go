// Package audit proves that what is stored is right: the chains of documents,
// their bytes, the authority's verdicts, the allowance and the audit trail, and,
// where they are at hand, the journals of the simulator and of load
// clients against all of it.
//
// It is a judge and shares no code with what it judges: it reads documents by
// package witness and everything else by its own reading. Whoever keeps the
// documents hands them over as a [Source]; [Walk] reads it once and returns a
// [Report]. It knows no database, changes nothing and mends nothing.
//
// Memory does not grow with the number of documents. Documents stream through;
// what has to be compared across streams becomes a record of fixed size, and
// the records are sorted in files that the caller lends ([Options.Scratch]).
// What is held grows with devices, with months of use and with series of
// numbers, and of the faults only the first are kept.
package audit
