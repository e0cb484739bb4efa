package paper

import "strings"

// Stem is the file name of a document without its ending, for XML and PDF
// alike, as the authority's XML standard forms it: VAT number of the seller,
// date and time of issue, and the number with a hyphen for every character
// that is neither a letter of the Latin alphabet nor a digit.
func Stem(vatNumber, issueDate, issueTime, number string) string {
	date := strings.ReplaceAll(issueDate, "-", "")
	time := strings.TrimSuffix(strings.ReplaceAll(issueTime, ":", ""), "Z")
	return plain(vatNumber) + "_" + plain(date) + "T" + plain(time) + "_" + plain(number)
}

// maxPart keeps a name within what file systems take, however long a number is.
const maxPart = 100

func plain(s string) string {
	name := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, s)
	return name[:min(len(name), maxPart)]
}
