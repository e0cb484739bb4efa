// Package intake imports clients, items and invoices of older systems from tables:
// CSV files and workbooks.
//
// A [Table] reads the rows of a file. [Decide] compares them with the records of an
// organisation and determines the fate of each row, without changing anything. A
// [Runner] does both in the background for a [Job], in small steps: first to check
// the file, and when a person has seen the result, to import it. Each step stores
// its records, the fates of its rows and how far the job is in one transaction, so
// that a job continues after an interruption without importing a row twice.
//
// [RegisterInvoices] registers the invoices of an older system. Such a file is small,
// so it is processed at once and not stored.
package intake
