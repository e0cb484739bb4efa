// Package spreadsheet writes tables for spreadsheet programs. It contains no
// formulas: a text that looks like one is quoted.
package spreadsheet
