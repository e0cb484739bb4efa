package paper

import "strings"

// Stem returns the file name of a document without its extension, for both XML
// and PDF, in the form of the authority's XML standard: VAT number of the seller,
// date and time of issue, and the invoice number. Every character of the number
// other than a Latin letter or a digit is replaced by a hyphen.
func Stem(vatNumber, issueDate, issueTime, number string) string {
	date := strings.ReplaceAll(issueDate, "-", "")
	time := strings.TrimSuffix(strings.ReplaceAll(issueTime, ":", ""), "Z")
	return plain(vatNumber) + "_" + plain(date) + "T" + plain(time) + "_" + plain(number)
}

// maxPart limits the length of each part, so that file systems accept the name.
const maxPart = 100

// plain replaces every character other than a Latin letter or a digit.
func plain(s string) string {
	name := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, s)
	return name[:min(len(name), maxPart)]
}
