package ca

import (
	"encoding/asn1"
	"regexp"
	"strings"
	"unicode"
)

// maxField is the most bytes of one field. The authority is said to count
// characters; who keeps to bytes is right by either count.
const maxField = 64

// field is an attribute that a name must have once.
type field struct {
	name string
	kind asn1.ObjectIdentifier
	into *string
}

// take reads the fields from a name. With only set, no other attribute may be
// there.
func take(name asn1.RawValue, cause Cause, only bool, fields []field) error {
	all, err := attributes(name)
	if err != nil {
		return refuseFor(err, cause, "the name cannot be read")
	}
	seen := map[string]bool{}
	for _, a := range all {
		f := fieldOf(fields, a.kind)
		if f == nil {
			if only {
				return refuse(cause, "", "the attribute %s has no place here", a.kind)
			}
			continue
		}
		if seen[f.name] {
			return refuse(cause, f.name, "it is there twice")
		}
		seen[f.name] = true
		if err := f.read(a.value, cause); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if !seen[f.name] {
			return refuse(cause, f.name, "it is missing")
		}
	}
	return nil
}

func fieldOf(fields []field, kind asn1.ObjectIdentifier) *field {
	for i := range fields {
		if fields[i].kind.Equal(kind) {
			return &fields[i]
		}
	}
	return nil
}

func (f *field) read(v asn1.RawValue, cause Cause) error {
	content, err := text(v)
	if err != nil {
		r := refuseFor(err, cause, "it cannot be read")
		r.Field = f.name
		return r
	}
	switch {
	case strings.TrimSpace(content) == "":
		return refuse(cause, f.name, "it is empty")
	case strings.IndexFunc(content, unicode.IsControl) >= 0:
		return refuse(cause, f.name, "it has a control character")
	case len(content) > maxField:
		return refuse(TooLong, f.name, "it has %d bytes, more than %d", len(content), maxField)
	}
	*f.into = content
	return nil
}

var (
	serialForm = regexp.MustCompile(`^1-[^|=]+\|2-[^|=]+\|3-[^|=]+$`)
	vatForm    = regexp.MustCompile(`^3[0-9]{13}3$`)
	tinForm    = regexp.MustCompile(`^[0-9]{10}$`)
	typesForm  = regexp.MustCompile(`^(10|01|11)00$`) // the last two are reserved
)

// check holds the fields to the form each has.
func (r *Request) check() error {
	switch {
	case !serialForm.MatchString(r.DeviceSerial):
		return refuse(BadDevice, "SN", "%q is not 1-…|2-…|3-…", r.DeviceSerial)
	case !vatForm.MatchString(r.VATNumber):
		return refuse(BadDevice, "UID", "%q is no VAT number: 15 digits, the first and the last 3", r.VATNumber)
	case !typesForm.MatchString(r.InvoiceTypes):
		return refuse(BadDevice, "title", "%q is none of 1000, 0100 and 1100", r.InvoiceTypes)
	case r.VATNumber[10] == '1' && !tinForm.MatchString(r.Unit):
		return refuse(BadGroup, "OU", "the VAT number is that of a group, and %q is no TIN of 10 digits", r.Unit)
	case strings.IndexFunc(r.Category, isSymbol) >= 0:
		return refuse(BadIndustry, "businessCategory", "%q has a symbol", r.Category)
	}
	return nil
}

// isSymbol is what the authority's own tool refuses, and all that Unicode
// calls a symbol.
func isSymbol(r rune) bool {
	return strings.ContainsRune("!@#$%&*_<=", r) || unicode.IsSymbol(r)
}
