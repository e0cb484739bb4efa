package ca

import (
	"bytes"
	"encoding/asn1"
	"errors"
)

// readExtensions reads template and alternative name from the attributes of a
// request. Other attributes and extensions are passed over: openssl's own
// templates ask for key usages that the authority ignores.
func (r *Request) readExtensions(content []byte) error {
	extensions, err := requestedExtensions(content)
	if err != nil {
		return refuseFor(err, BadStructure, "its attributes cannot be read")
	}
	template, alternative := extensions[oidTemplate.String()], extensions[oidAlternativeName.String()]
	if template == nil {
		return refuse(BadTemplate, "", "it names no certificate template")
	}
	name, err := value(template)
	if err != nil {
		return refuseFor(err, BadTemplate, "the template's name cannot be read")
	}
	if r.Template, err = text(name); err != nil {
		return refuseFor(err, BadTemplate, "the template's name cannot be read")
	}
	if want := templateOf(r.Environment); r.Template != want {
		return refuse(BadTemplate, "", "its template is %q, and %q belongs to %s", r.Template, want, r.Environment)
	}
	if alternative == nil {
		return refuse(BadDevice, "", "it has no alternative name, so it names no device")
	}
	r.alternative = bytes.Clone(alternative)
	return r.readDevice(alternative)
}

func templateOf(e Environment) string {
	for _, w := range worlds {
		if w.environment == e {
			return w.template
		}
	}
	return ""
}

// requestedExtensions returns the content of each extension by its identifier.
func requestedExtensions(content []byte) (map[string][]byte, error) {
	all, err := values(content)
	if err != nil {
		return nil, err
	}
	var list []asn1.RawValue
	for _, a := range all {
		pair, err := inside(a, asn1.TagSequence, 2)
		if err != nil {
			return nil, err
		}
		kind, err := objectID(pair[0])
		if err != nil {
			return nil, err
		}
		if !kind.Equal(oidExtensionRequest) {
			continue
		}
		if list != nil {
			return nil, errors.New("extensions are requested twice")
		}
		if list, err = inside(pair[1], asn1.TagSet, 1); err != nil {
			return nil, err
		}
	}
	if list == nil {
		return map[string][]byte{}, nil
	}
	return extensionsOf(list[0])
}

// extensionsOf reads a sequence of extensions, of a request or a certificate.
func extensionsOf(list asn1.RawValue) (map[string][]byte, error) {
	all, err := inside(list, asn1.TagSequence, -1)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, one := range all {
		parts, err := inside(one, asn1.TagSequence, -1)
		if err != nil {
			return nil, err
		}
		if len(parts) != 2 && (len(parts) != 3 || parts[1].Tag != asn1.TagBoolean) {
			return nil, errors.New("an extension has a wrong form")
		}
		kind, err := objectID(parts[0])
		if err != nil {
			return nil, err
		}
		if found[kind.String()] != nil {
			return nil, errors.New("an extension is there twice")
		}
		content, err := octets(parts[len(parts)-1])
		if err != nil {
			return nil, err
		}
		if content == nil {
			content = []byte{} // there, and empty
		}
		found[kind.String()] = content
	}
	return found, nil
}

// readDevice reads the alternative name: one directory name with the five
// attributes the device is registered by, and no other.
func (r *Request) readDevice(alternative []byte) error {
	outer, err := value(alternative)
	if err != nil {
		return refuseFor(err, BadDevice, "the alternative name cannot be read")
	}
	names, err := inside(outer, asn1.TagSequence, 1)
	if err != nil {
		return refuseFor(err, BadDevice, "the alternative name is not one name")
	}
	const directoryName = 4
	if n := names[0]; n.Class != asn1.ClassContextSpecific || n.Tag != directoryName || !n.IsCompound {
		return refuse(BadDevice, "", "the alternative name is no directory name")
	}
	directory, err := value(names[0].Bytes)
	if err != nil {
		return refuseFor(err, BadDevice, "the directory name cannot be read")
	}
	return take(directory, BadDevice, true, []field{
		{"SN", oidSurname, &r.DeviceSerial},
		{"UID", oidUserID, &r.VATNumber},
		{"title", oidTitle, &r.InvoiceTypes},
		{"registeredAddress", oidAddress, &r.Address},
		{"businessCategory", oidCategory, &r.Category},
	})
}

// readSubject reads the subject. Clients add attributes to it, as the state or
// an organisation identifier, and the authority takes them.
func (r *Request) readSubject(subject asn1.RawValue) error {
	r.subject = bytes.Clone(subject.FullBytes)
	var country string
	err := take(subject, BadSubject, false, []field{
		{"C", oidCountry, &country},
		{"OU", oidUnit, &r.Unit},
		{"O", oidOrganization, &r.Organization},
		{"CN", oidCommonName, &r.CommonName},
	})
	if err == nil && country != "SA" {
		return refuse(BadSubject, "C", "the country is %q, not SA", country)
	}
	return err
}
