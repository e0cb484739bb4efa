package ca

import (
	"bytes"
	"encoding/asn1"
	"errors"
)

// readExtensions reads the template and the alternative name from the
// attributes of a request. It ignores other attributes and extensions: the
// templates of openssl request key usages that the authority ignores.
func (r *Request) readExtensions(content []byte) error {
	extensions, err := requestedExtensions(content)
	if err != nil {
		return refuseFor(err, BadStructure, "the attributes cannot be read")
	}
	template, alternative := extensions[oidTemplate.String()], extensions[oidAlternativeName.String()]
	if err := r.readTemplate(template); err != nil {
		return err
	}
	if alternative == nil {
		return refuse(BadDevice, "", "no alternative name, which identifies the device")
	}
	r.alternative = bytes.Clone(alternative)
	return r.readDevice(alternative)
}

// readTemplate reads the template name and compares it with the one of the
// environment. nil means that the request has none.
func (r *Request) readTemplate(template []byte) error {
	if template == nil {
		return refuse(BadTemplate, "", "no certificate template")
	}
	name, err := value(template)
	if err == nil && name.Class == asn1.ClassUniversal && name.Tag == asn1.TagOctetString {
		err = r.tolerate(refuse(BadTemplate, "", "the template name is an OCTET STRING, want a UTF8String or PrintableString"))
		r.Template = string(name.Bytes)
	} else if err == nil {
		r.Template, err = text(name)
	}
	var refused *Refusal
	switch want := templateOf(r.Environment); {
	case errors.As(err, &refused):
		return refused
	case err != nil:
		return refuseFor(err, BadTemplate, "the template name cannot be read")
	case r.Template == want:
		return nil
	default:
		refused = refuse(BadTemplate, "", "the template is %q, want %q for %s", clip(r.Template), want, r.Environment)
		if r.Environment == Sandbox && r.Template == templateOf(Production) {
			return r.tolerate(refused)
		}
		return refused
	}
}

func templateOf(e Environment) string {
	for _, w := range environments {
		if w.environment == e {
			return w.template
		}
	}
	return ""
}

// requestedExtensions returns the content of each extension, keyed by its
// object identifier.
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
			return nil, errors.New("two extension requests")
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

// extensionsOf reads a sequence of extensions of a request or a certificate.
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
			return nil, errors.New("malformed extension")
		}
		kind, err := objectID(parts[0])
		if err != nil {
			return nil, err
		}
		if found[kind.String()] != nil {
			return nil, errors.New("repeated extension")
		}
		content, err := octets(parts[len(parts)-1])
		if err != nil {
			return nil, err
		}
		if content == nil {
			content = []byte{} // present but empty
		}
		found[kind.String()] = content
	}
	return found, nil
}

// readDevice reads the alternative name: one directory name with exactly the
// five attributes that identify the device.
func (r *Request) readDevice(alternative []byte) error {
	outer, err := value(alternative)
	if err != nil {
		return refuseFor(err, BadDevice, "the alternative name cannot be read")
	}
	names, err := inside(outer, asn1.TagSequence, 1)
	if err != nil {
		return refuseFor(err, BadDevice, "the alternative name must contain one name")
	}
	const directoryName = 4
	if n := names[0]; n.Class != asn1.ClassContextSpecific || n.Tag != directoryName || !n.IsCompound {
		return refuse(BadDevice, "", "the alternative name is not a directory name")
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

// readSubject reads the subject. Other attributes are allowed, because clients
// add some, such as the state, and the authority accepts them.
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
		return refuse(BadSubject, "C", "the country is %q, want SA", country)
	}
	return err
}
