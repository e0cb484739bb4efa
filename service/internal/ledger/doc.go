// Package ledger models stored invoices: their records, the states of their
// submission with all transitions, and the answers of the authority. It neither
// creates nor sends documents.
package ledger
