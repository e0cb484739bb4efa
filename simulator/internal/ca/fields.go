package ca

import (
	"encoding/asn1"
	"regexp"
	"strings"
	"unicode"
)

// maxField is the maximum length of a field in bytes. The authority is said to
// count characters; a limit in bytes satisfies both.
const maxField = 64

// field is an attribute that a name must contain exactly once.
type field struct {
	name string
	kind asn1.ObjectIdentifier
	into *string
}

// take reads fields from a name. If only is set, it refuses other attributes.
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
				return refuse(cause, "", "unexpected attribute %s", a.kind)
			}
			continue
		}
		if seen[f.name] {
			return refuse(cause, f.name, "appears twice")
		}
		seen[f.name] = true
		if err := f.read(a.value, cause); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if !seen[f.name] {
			return refuse(cause, f.name, "missing")
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
		r := refuseFor(err, cause, "cannot be read")
		r.Field = f.name
		return r
	}
	switch {
	case strings.TrimSpace(content) == "":
		return refuse(cause, f.name, "empty")
	case strings.IndexFunc(content, unicode.IsControl) >= 0:
		return refuse(cause, f.name, "contains a control character")
	case len(content) > maxField:
		return refuse(TooLong, f.name, "has %d bytes, more than %d", len(content), maxField)
	}
	*f.into = content
	return nil
}

var (
	serialForm = regexp.MustCompile(`^1-[^|=]+\|2-[^|=]+\|3-[^|=]+$`)
	vatForm    = regexp.MustCompile(`^3[0-9]{13}3$`)
	tinForm    = regexp.MustCompile(`^[0-9]{10}$`)
	typesForm  = regexp.MustCompile(`^(10|01|11)00$`) // the last two digits are reserved
)

// check checks the format of the fields.
func (r *Request) check() error {
	switch {
	case !serialForm.MatchString(r.DeviceSerial):
		return refuse(BadDevice, "SN", "%q does not have the form 1-…|2-…|3-…", r.DeviceSerial)
	case !vatForm.MatchString(r.VATNumber):
		return refuse(BadDevice, "UID", "VAT number %q must have 15 digits and begin and end with 3", r.VATNumber)
	case !typesForm.MatchString(r.InvoiceTypes):
		return refuse(BadDevice, "title", "%q is not one of 1000, 0100 and 1100", r.InvoiceTypes)
	case r.VATNumber[10] == '1' && !tinForm.MatchString(r.Unit):
		return refuse(BadGroup, "OU", "must be a TIN of 10 digits because the VAT number is of a VAT group, not %q", r.Unit)
	case strings.IndexFunc(r.Category, isSymbol) >= 0:
		return refuse(BadIndustry, "businessCategory", "%q contains a symbol", r.Category)
	}
	return nil
}

// isSymbol reports whether r is refused by the authority's own tool or is a
// symbol in Unicode.
func isSymbol(r rune) bool {
	return strings.ContainsRune("!@#$%&*_<=", r) || unicode.IsSymbol(r)
}
