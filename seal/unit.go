package seal

import (
	"encoding/asn1"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unit identifies the device in a certificate and the taxpayer that it issues
// invoices for. Its country is always SA.
type Unit struct {
	CommonName   string // name of the device, unique within the organisation
	Provider     string // vendor of the software, part "1-" of the serial number
	Model        string // model or version, part "2-"
	Serial       string // serial number of the device itself, part "3-"
	VATNumber    string // 15 digits, first and last 3
	UnitName     string // branch; in a VAT group, the 10-digit TIN of the member
	Organisation string // name of the taxpayer
	InvoiceType  string // 1000 standard, 0100 simplified, 1100 both
	Location     string // address of the branch, preferably the short national address
	Industry     string // industry of the branch, without symbols
}

// Problem describes an invalid field of a unit.
type Problem struct{ Field, Text string }

// Problems is an error that lists all invalid fields of a unit.
type Problems []Problem

// Error returns the texts of the problems, separated by semicolons.
func (p Problems) Error() string {
	texts := make([]string, len(p))
	for i, problem := range p {
		texts[i] = problem.Text
	}
	return strings.Join(texts, "; ")
}

func (p *Problems) add(field, format string, args ...any) {
	*p = append(*p, Problem{field, fmt.Sprintf(format, args...)})
}

// maxField is the authority's limit. It is specified in characters; counting
// bytes is the safe interpretation for Arabic.
const maxField = 64

// The following functions report the characters that the authority's own tool
// rejects in names and addresses, in the industry, and in the parts of the
// serial number, which are separated by |.
func refusedInName(r rune) bool     { return strings.ContainsRune("!@#$%&*_<=", r) }
func refusedInIndustry(r rune) bool { return refusedInName(r) || unicode.IsSymbol(r) }
func refusedInSerial(r rune) bool   { return r == '=' || r == '|' }

// Check returns [Problems] if the authority would reject the unit, otherwise
// nil.
func (u Unit) Check() error {
	var found Problems
	for _, f := range []struct {
		field, words, value string
		refused             func(rune) bool
	}{
		{"CommonName", "the common name", u.CommonName, refusedInName},
		{"Provider", "the provider", u.Provider, refusedInSerial},
		{"Model", "the model", u.Model, refusedInSerial},
		{"Serial", "the serial", u.Serial, refusedInSerial},
		{"UnitName", "the unit name", u.UnitName, refusedInName},
		{"Organisation", "the organisation's name", u.Organisation, refusedInName},
		{"Location", "the location", u.Location, refusedInName},
		{"Industry", "the industry", u.Industry, refusedInIndustry},
	} {
		if problem := textProblem(f.value, f.refused); problem != "" {
			found.add(f.field, "%s %s", f.words, problem)
		}
	}
	u.checkSerial(&found)
	u.checkNumbers(&found)
	if len(found) == 0 {
		return nil
	}
	return found
}

// textProblem describes what is wrong with a text, or returns "".
func textProblem(value string, refused func(rune) bool) string {
	if value == "" {
		return "is empty"
	}
	if !utf8.ValidString(value) {
		return "is not valid UTF-8"
	}
	if len(value) > maxField {
		return fmt.Sprintf("has %d bytes, at most %d are allowed (an Arabic letter has two)", len(value), maxField)
	}
	if strings.TrimSpace(value) != value {
		return "begins or ends with white space"
	}
	for _, r := range value {
		if !unicode.IsPrint(r) {
			return fmt.Sprintf("has the invisible character %U", r)
		}
		if refused(r) {
			return fmt.Sprintf("has the character %c, which the authority rejects", r)
		}
	}
	return ""
}

// checkSerial checks the length of the three parts together.
func (u Unit) checkSerial(found *Problems) {
	whole := u.wholeSerial()
	parts := max(len(u.Provider), len(u.Model), len(u.Serial))
	if len(whole) > maxField && parts <= maxField {
		found.add("Serial", "provider, model and serial together have %d bytes as %q, at most %d are allowed",
			len(whole), whole, maxField)
	}
}

func (u Unit) checkNumbers(found *Problems) {
	switch vat := u.VATNumber; {
	case !digits(vat, 15) || vat[0] != '3' || vat[14] != '3':
		found.add("VATNumber", "the VAT number must be 15 digits that begin and end with 3")
	case vat[10] == '1' && !digits(u.UnitName, 10):
		found.add("UnitName", "the VAT number belongs to a VAT group (its 11th digit is 1), so the unit name must be the 10-digit TIN of the member")
	}
	if !slices.Contains([]string{"1000", "0100", "1100"}, u.InvoiceType) {
		found.add("InvoiceType", "the invoice type must be 1000 (standard), 0100 (simplified) or 1100 (both)")
	}
}

func digits(s string, count int) bool {
	return len(s) == count && strings.Trim(s, "0123456789") == ""
}

func (u Unit) wholeSerial() string {
	return "1-" + u.Provider + "|2-" + u.Model + "|3-" + u.Serial
}

// setSerial splits a serial number into its three parts. A serial number of
// another form is stored in Serial, where Check rejects it.
func (u *Unit) setSerial(whole string) {
	parts := strings.Split(whole, "|")
	if len(parts) != 3 {
		u.Serial = whole
		return
	}
	provider, ok1 := strings.CutPrefix(parts[0], "1-")
	model, ok2 := strings.CutPrefix(parts[1], "2-")
	serial, ok3 := strings.CutPrefix(parts[2], "3-")
	if !ok1 || !ok2 || !ok3 {
		u.Serial = whole
		return
	}
	u.Provider, u.Model, u.Serial = provider, model, serial
}

// alternativeName returns the subjectAltName of the unit: one directory name.
func (u Unit) alternativeName() []byte {
	directory := marshal(nameOf(
		text(oidSurname, asn1.TagUTF8String, u.wholeSerial()),
		text(oidUserID, asn1.TagUTF8String, u.VATNumber),
		text(oidTitle, asn1.TagUTF8String, u.InvoiceType),
		text(oidAddress, asn1.TagUTF8String, u.Location),
		text(oidCategory, asn1.TagUTF8String, u.Industry),
	))
	return marshal([]asn1.RawValue{{Class: asn1.ClassContextSpecific, Tag: tagDirectoryName, IsCompound: true, Bytes: directory}})
}

const tagDirectoryName = 4

// read sets the fields from a subject and a subjectAltName, which may be nil. It
// ignores other attributes.
func (u *Unit) read(subject name, alternative []byte) error {
	if err := u.readName(subject); err != nil {
		return fmt.Errorf("subject: %w", err)
	}
	if alternative == nil {
		return nil
	}
	var general []asn1.RawValue
	if err := unmarshal(alternative, &general); err != nil {
		return fmt.Errorf("alternative name: %w", err)
	}
	var directory name
	for _, g := range general {
		if g.Class != asn1.ClassContextSpecific || g.Tag != tagDirectoryName {
			continue
		}
		if directory != nil {
			return errors.New("alternative name: two directory names")
		}
		if err := unmarshal(g.Bytes, &directory); err != nil {
			return fmt.Errorf("alternative name: %w", err)
		}
	}
	if err := u.readName(directory); err != nil {
		return fmt.Errorf("alternative name: %w", err)
	}
	return nil
}

func (u *Unit) readName(n name) error {
	var serial string
	places := map[string]*string{
		oidCommonName.String():   &u.CommonName,
		oidUnitName.String():     &u.UnitName,
		oidOrganisation.String(): &u.Organisation,
		oidSurname.String():      &serial,
		oidUserID.String():       &u.VATNumber,
		oidTitle.String():        &u.InvoiceType,
		oidAddress.String():      &u.Location,
		oidCategory.String():     &u.Industry,
	}
	for _, set := range n {
		for _, a := range set {
			place := places[a.Type.String()]
			if place == nil {
				continue
			}
			value, err := a.text()
			if err != nil {
				return err
			}
			if *place != "" {
				return fmt.Errorf("attribute %s occurs twice", a.Type)
			}
			*place = value
		}
	}
	if serial != "" {
		u.setSerial(serial)
	}
	return nil
}
