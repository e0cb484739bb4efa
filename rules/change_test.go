package rules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/beevik/etree"
)

// randomChange changes a document at random and returns a description. It does
// not change the signature, which no rule reads. donor is a document to copy
// elements from.
func randomChange(r *rand.Rand, root, donor *etree.Element) string {
	at := randomElement(r, root)
	path := shortPath(at)
	leaf := len(at.ChildElements()) == 0
	switch n := r.IntN(40); {
	case n < 6:
		at.Parent().RemoveChildAt(at.Index())
		return "delete " + path
	case n < 8 && leaf:
		at.Child = nil
		return "empty " + path
	case n < 9:
		at.Parent().InsertChildAt(at.Index()+1, at.Copy())
		return "twice " + path
	case n < 10:
		return misplace(at, randomElement(r, root))
	case n < 15:
		if what := graft(root, randomElement(r, donor)); what != "" {
			return what
		}
	case n < 21 && len(at.Attr) > 0 && at.Space != "ext" && at.Space != "sig":
		return randomAttribute(r, at, path)
	case leaf:
		text := randomText(r, at)
		at.SetText(text)
		return fmt.Sprintf("set %s %.60q", path, text)
	}
	return randomChange(r, root, donor)
}

// misplace inserts a copy of an element after another one, mostly where the
// schema does not allow it.
func misplace(e, other *etree.Element) string {
	what := fmt.Sprintf("copy of %s after %s", shortPath(e), shortPath(other))
	other.Parent().InsertChildAt(other.Index()+1, e.Copy())
	return what
}

// repeatable are elements that graft adds to existing ones. It replaces other
// elements.
var repeatable = []string{"InvoiceLine", "AllowanceCharge", "TaxSubtotal", "BillingReference", "PaymentMeans", "Note", "DocumentReference", "AdditionalItemProperty"}

// graft copies an element of another document to the same parent in this one, in
// the same order. It returns "" if this document has no such parent.
func graft(root, e *etree.Element) string {
	var above []string
	for p := e.Parent(); p.Parent() != nil && p.Parent().Tag != ""; p = p.Parent() {
		above = append([]string{p.FullTag()}, above...)
	}
	into := root
	for _, tag := range above {
		if into = into.SelectElement(tag); into == nil {
			return ""
		}
	}
	if old := into.SelectElement(e.FullTag()); old != nil && !slices.Contains(repeatable, e.Tag) {
		into.InsertChildAt(old.Index(), e.Copy())
		into.RemoveChild(old)
		return "replace " + shortPath(e)
	}
	earlier := map[string]bool{e.FullTag(): true}
	for _, c := range e.Parent().ChildElements() {
		if c == e {
			break
		}
		earlier[c.FullTag()] = true
	}
	index := 0
	for _, c := range into.ChildElements() {
		if earlier[c.FullTag()] {
			index = c.Index() + 1
		}
	}
	into.InsertChildAt(index, e.Copy())
	return "add " + shortPath(e)
}

// randomElement returns a random element. It chooses the name first, so that
// elements that occur once are chosen as often as those of every line.
func randomElement(r *rand.Rand, root *etree.Element) *etree.Element {
	byName := map[string][]*etree.Element{}
	var names []string
	var walk func(e *etree.Element, within string)
	walk = func(e *etree.Element, within string) {
		for _, c := range e.ChildElements() {
			if c.Space == "ds" || c.Space == "xades" {
				continue
			}
			name := within + "/" + c.Tag
			if byName[name] == nil {
				names = append(names, name)
			}
			byName[name] = append(byName[name], c)
			walk(c, name)
		}
	}
	walk(root, "")
	same := byName[names[r.IntN(len(names))]]
	return same[r.IntN(len(same))]
}

func shortPath(e *etree.Element) string {
	var parts []string
	for ; e.Parent() != nil && e.Parent().Tag != ""; e = e.Parent() {
		part, before := e.Tag, 0
		for _, c := range e.Parent().ChildElements() {
			if c.Index() < e.Index() && c.Tag == e.Tag {
				before++
			}
		}
		if before > 0 {
			part += "[" + strconv.Itoa(before+1) + "]"
		}
		parts = append([]string{part}, parts...)
	}
	return strings.Join(parts, "/")
}

func randomAttribute(r *rand.Rand, at *etree.Element, path string) string {
	attribute := at.Attr[r.IntN(len(at.Attr))]
	name := attribute.Key
	values := []string{"", " ", attribute.Value + " ", strings.ToLower(attribute.Value), "x"}
	switch name {
	case "currencyID":
		values = append(values, "USD", "SAR", "EUR", "XYZ")
	case "schemeID":
		values = append(values, "CRN", "TIN", "NAT", "IQA", "PAS", "MOM", "MLS", "700", "SAG", "GCC", "OTH", "TIN NAT", "RN", " 700")
	case "name":
		values = append(values, "0100000", "0200000", "0200010", "0211110", "0100101", "010000001", "01000000", "02000000", "0200001", "020100000", "0300000", "١٠٠٠٠٠٠")
	case "mimeCode":
		values = append(values, "text/csv", "image/png", "application/pdf", "text/plain ")
	case "unitCode":
		values = append(values, strings.Repeat("u", 127), strings.Repeat("u", 128))
	}
	if r.IntN(5) == 0 {
		at.RemoveAttr(name)
		return "delete " + path + "/@" + name
	}
	value := values[r.IntN(len(values))]
	at.CreateAttr(name, value)
	return fmt.Sprintf("set %s/@%s %.40q", path, name, value)
}

// randomText returns mostly plausible texts, and sometimes any text.
func randomText(r *rand.Rand, at *etree.Element) string {
	old, name := at.Text(), at.Tag
	var choice []string
	switch {
	case r.IntN(12) == 0:
		choice = []string{" ", "x", "0", "1", "-1", "VAT", "النص", "2026-11-14", "١٢٣", "12345678", "a  b", "\n"}
	case name == "ID" || name == "UUID" || name == "CompanyID":
		choice = identifiers(old)
	case strings.HasSuffix(name, "Amount"):
		choice = amounts(old)
	case name == "Percent" || strings.HasSuffix(name, "Quantity") || strings.HasSuffix(name, "Numeric") || name == "CalculationRate":
		choice = append(amounts(old), "0", "5", "15", "15.00", "5.00", "0.00", "14", "15.99", "5.5", "100", "101", "15.000", "10", "3.7525000000000")
	case strings.HasSuffix(name, "Date"):
		choice = []string{"2026-11-14", "2026-11-15", "2026-11-13", "2026-11-12", "1999-12-31", "2028-02-29", "2027-02-29", "2026-11-13Z", "2026-11-31", "26-11-14", "2026-11-14 ", "2026-9-1"}
	case strings.HasSuffix(name, "Time"):
		choice = []string{"00:00:00", "23:59:59", "13:00:01", "09:00:00Z", "09:00:00.5", "09:00:00+03:00", "24:00:00", "9:00:00", "09:00", " 09:00:00"}
	case name == "ChargeIndicator":
		choice = []string{"true", "false", "1", "0", " true ", "TRUE"}
	case strings.HasSuffix(name, "Code"):
		choice = codesOf(name)
	default:
		choice = []string{" ", old + " ", " " + old, strings.Repeat("ط", 127), strings.Repeat("ط", 128), strings.Repeat("w", 1000), strings.Repeat("w", 1001), "ab", "12345", "١٢٣٤", "1", "8091", "12214", "0126543210", "true"}
	}
	return choice[r.IntN(len(choice))]
}

// identifiers returns numbers of parties, letters of categories and ids of
// references, all of which occur in cbc:ID.
func identifiers(old string) []string {
	return []string{
		" ", old + " ", " " + old, strings.ToLower(old), old + "1", "S", "Z", "E", "O", "AE", "L", "S Z", "VAT", "vat", " VAT ", "GST",
		"ICV", "PIH", "QR", "1", "12", "1234567", "1234567890", "7010183482", "3102938475", "2083726154", "1083726154",
		"310175397400003", "311287654900003", "31017539740000", "1111111110", strings.Repeat("9", 128), strings.Repeat("w", 5001), "!x",
	}
}

func codesOf(name string) []string {
	switch name {
	case "InvoiceTypeCode", "DocumentTypeCode":
		return []string{"388", "381", "383", "386", "380", "999", " 388", "386 "}
	case "TaxExemptionReasonCode":
		return []string{"VATEX-SA-35", "VATEX-SA-29", "VATEX-SA-OOS", "VATEX-SA-HEA", "VATEX-SA-EDU", "VATEX-SA-32(bis)", "VATEX-SA-ROYALDECREE", "VATEX-SA", " ", "vatex-sa-35", "VATEX-SA-29 "}
	case "IdentificationCode":
		return []string{"SA", "DE", "XK", "XI", "sa", " SA ", "S"}
	case "PaymentMeansCode":
		return []string{"1", "10", "69", "70", "71", "97", "98", "ZZZ", "1 ", "01"}
	case "AllowanceChargeReasonCode":
		return []string{"95", "AA", "CAPCAQ", "CAP", "QQQ", "A", " ", "aa"}
	}
	return []string{"SAR", "USD", "EUR", "HRK", "SLE", "sar", " SAR ", "US", "SA", "XYZ"}
}

// amounts returns numbers that are slightly different, or have another precision
// or format.
func amounts(old string) []string {
	all := []string{
		"0", "0.00", "0.01", "-0.01", "-1.00", "1", "100", "0.005", "0.015", "1.005", "10.00", "46.00",
		"123456789012.34", old + "0", old + "1", "-" + old, " " + old, "+" + old, old + " ",
	}
	if n, err := strconv.ParseFloat(old, 64); err == nil {
		for _, by := range []float64{0.01, -0.01, 0.02, -0.02, 0.03, 1, 0.005, 10} {
			all = append(all, strconv.FormatFloat(n+by, 'f', 2, 64))
		}
		all = append(all, strconv.FormatFloat(n*1.15, 'f', 2, 64), strconv.FormatFloat(n, 'f', 1, 64), strconv.FormatFloat(n, 'f', 3, 64))
	}
	return all
}
