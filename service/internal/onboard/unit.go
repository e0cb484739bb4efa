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

// provider is the provider name in the serial numbers of devices.
const provider = "Khatm"

// unit returns the device as described in its certificate.
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

// organisationName returns the name for certificates. Certificates allow
// shorter names and fewer characters than invoices, so it returns the first of
// the Arabic and the English name that the authority accepts, or else a
// shortened one.
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

// fits reports whether the authority accepts a name in a certificate.
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

// fitting removes characters that the authority does not accept and shortens a
// name, word by word as long as there is more than one.
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

// serial returns a device serial number in the authority's form. The version is
// truncated, because the whole may have at most 64 bytes.
func serial(version, id string) string {
	const most = 15
	version = fitting(strings.ReplaceAll(version, "|", " "))
	if version == "" {
		version = "1"
	}
	return "1-" + provider + "|2-" + version[:min(len(version), most)] + "|3-" + id
}

// splitSerial splits a serial number into its three parts. If the form is
// wrong, it returns the whole text as the last part, and the unit's check
// refuses it.
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

// paths maps the fields of a unit to the field names of the API.
var paths = map[string]string{
	"CommonName": "common_name", "Provider": "serial_number", "Model": "serial_number", "Serial": "serial_number",
	"VATNumber": "vat_registration_number", "UnitName": "unit_name", "Organisation": "name",
	"InvoiceType": "invoice_type", "Location": "location", "Industry": "industry",
}

// checkUnit returns the problems for which the authority would refuse a
// certificate request.
func checkUnit(u seal.Unit) []fault.Problem {
	var problems seal.Problems
	errors.As(u.Check(), &problems)
	var list []fault.Problem
	for _, p := range problems {
		list = append(list, fault.Problem{Path: paths[p.Field], Message: p.Text, MessageAR: required(u, p.Field)})
	}
	return list
}

// required says in Arabic what a field of a unit must be.
func required(u seal.Unit, field string) string {
	switch field {
	case "VATNumber":
		return fault.VATNumberAR
	case "InvoiceType":
		return "يجب أن يكون نوع الفواتير 1000 (ضريبية) أو 0100 (مبسطة) أو 1100 (كلاهما)."
	case "Provider", "Model", "Serial":
		return "يجب أن يكون الرقم التسلسلي بالصيغة \u20661-…|2-…|3-…\u2069، وألا يزيد على 64 بايت."
	case "UnitName":
		if inGroup(u.VATNumber) {
			return "يجب أن يكون الرقم المميز لعضو المجموعة الضريبية، وهو 10 أرقام."
		}
	}
	return "يجب ألا يكون فارغًا، وألا يزيد على 64 بايت (الحرف العربي بايتان)، وألا يبدأ أو ينتهي بمسافة، وألا يحتوي على رموز ترفضها الهيئة، مثل \u2066! @ # $ % & * _ < =\u2069."
}

// template returns the environment that the certificate request names. By
// default the simulator acts as the authority's simulation environment.
func template(e device.Environment) string {
	if e == device.Simulator {
		return string(device.Simulation)
	}
	return string(e)
}
