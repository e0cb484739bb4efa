package onboard

import (
	"errors"
	"strings"
	"unicode/utf8"

	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// provider is who made the software, in the serial numbers of devices.
const provider = "Khatm"

// unit is the device as its certificate names it.
func unit(o org.Organisation, d device.Device) seal.Unit {
	u := seal.Unit{
		CommonName:   d.CommonName,
		VATNumber:    o.VATNumber,
		UnitName:     d.UnitName,
		Organisation: organisationName(o),
		InvoiceType:  d.InvoiceType,
		Location:     d.Location,
		Industry:     d.Industry,
	}
	u.Provider, u.Model, u.Serial = splitSerial(d.SerialNumber)
	return u
}

// organisationName is the name that stands in certificates: as on invoices if
// the authority takes it there, else the other one, else what can be kept of
// it. A certificate has room for half of what an invoice has, and for fewer
// characters.
func organisationName(o org.Organisation) string {
	for _, name := range []string{o.NameArabic, o.Name} {
		if name != "" && fits(name) {
			return name
		}
	}
	if name := fitting(o.NameArabic); name != "" {
		return name
	}
	return fitting(o.Name)
}

// fits says whether the authority takes a name.
func fits(name string) bool {
	var problems seal.Problems
	errors.As(seal.Unit{Organisation: name}.Check(), &problems)
	for _, p := range problems {
		if p.Field == "Organisation" {
			return false
		}
	}
	return true
}

// fitting leaves out of a name what the authority does not take, and shortens
// it by whole words, as long as there are two.
func fitting(name string) string {
	kept := strings.Map(func(r rune) rune {
		if !fits("x" + string(r) + "x") {
			return ' '
		}
		return r
	}, name)
	kept = strings.Join(strings.Fields(kept), " ")
	for kept != "" && !fits(kept) {
		at := strings.LastIndexByte(kept, ' ')
		if at < 0 {
			_, last := utf8.DecodeLastRuneInString(kept)
			at = len(kept) - last
		}
		kept = kept[:at]
	}
	return kept
}

// serial is the serial number of a device in the authority's form. A long
// version is cut: the whole has room for 64 bytes.
func serial(version, id string) string {
	const most = 15
	version = fitting(strings.ReplaceAll(version, "|", " "))
	if version == "" {
		version = "1"
	}
	return "1-" + provider + "|2-" + version[:min(len(version), most)] + "|3-" + id
}

// splitSerial takes the three parts of a serial number; one of another form is
// kept whole, for the unit's check to refuse.
func splitSerial(whole string) (provider, model, own string) {
	parts := strings.SplitN(whole, "|", 3)
	if len(parts) != 3 {
		return "", "", whole
	}
	for i, prefix := range []string{"1-", "2-", "3-"} {
		rest, right := strings.CutPrefix(parts[i], prefix)
		if !right {
			return "", "", whole
		}
		parts[i] = rest
	}
	return parts[0], parts[1], parts[2]
}

// paths are the fields of a unit by the names that callers know.
var paths = map[string]string{
	"CommonName": "common_name", "Provider": "serial_number", "Model": "serial_number", "Serial": "serial_number",
	"VATNumber": "vat_registration_number", "UnitName": "unit_name", "Organisation": "name",
	"InvoiceType": "invoice_type", "Location": "location", "Industry": "industry",
}

// checkUnit lists what the authority would refuse in a certificate request.
func checkUnit(u seal.Unit) []fault.Problem {
	var problems seal.Problems
	errors.As(u.Check(), &problems)
	var list []fault.Problem
	for _, p := range problems {
		list = append(list, fault.Problem{Path: paths[p.Field], Message: p.Text})
	}
	return list
}

// template is the environment whose certificates a device asks for. The
// simulator plays the authority's simulation unless it is told otherwise.
func template(e device.Environment) string {
	if e == device.Simulator {
		return string(device.Simulation)
	}
	return string(e)
}
