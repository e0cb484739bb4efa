package witness

import (
	"crypto/x509/pkix"
	"fmt"
	"slices"
	"strings"
)

// keywords are the attribute names the authority's software writes. Only CN
// and DC have been seen in its issuers.
var keywords = []struct{ oid, keyword string }{
	{"2.5.4.3", "CN"},
	{"2.5.4.6", "C"},
	{"2.5.4.7", "L"},
	{"2.5.4.8", "ST"},
	{"2.5.4.9", "STREET"},
	{"2.5.4.10", "O"},
	{"2.5.4.11", "OU"},
	{"2.5.4.5", "SERIALNUMBER"},
	{"0.9.2342.19200300.100.1.25", "DC"},
	{"0.9.2342.19200300.100.1.1", "UID"},
}

// issuerText is the name as X509IssuerName has it: RFC 2253 order and escapes,
// with a blank after each comma.
func issuerText(names pkix.RDNSequence) string {
	var parts []string
	for _, set := range slices.Backward(names) {
		var together []string
		for _, attribute := range set {
			together = append(together, keyword(attribute.Type.String())+"="+escapeName(attribute.Value))
		}
		parts = append(parts, strings.Join(together, " + "))
	}
	return strings.Join(parts, ", ")
}

func keyword(oid string) string {
	for _, k := range keywords {
		if k.oid == oid {
			return k.keyword
		}
	}
	return "OID." + oid
}

func escapeName(value any) string {
	text, is := value.(string)
	if !is {
		return fmt.Sprint(value)
	}
	var b strings.Builder
	for i, r := range text {
		edge := i == 0 && (r == ' ' || r == '#') || i == len(text)-1 && r == ' '
		if edge || strings.ContainsRune(`,+"\<>;`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// subject fills what the subject tells.
func (c *Certificate) subject(names pkix.RDNSequence) {
	take(names, map[string]*string{
		"2.5.4.6":  &c.Country,
		"2.5.4.10": &c.Organization,
		"2.5.4.11": &c.Unit,
		"2.5.4.3":  &c.CommonName,
	})
}

// device fills what the alternative name tells.
func (c *Certificate) device(names pkix.RDNSequence) {
	take(names, map[string]*string{
		"2.5.4.4":                   &c.DeviceSerial,
		"0.9.2342.19200300.100.1.1": &c.VATNumber,
		"2.5.4.12":                  &c.InvoiceTypes,
		"2.5.4.26":                  &c.Address,
		"2.5.4.15":                  &c.Category,
	})
}

// take fills fields by object identifier; the first of each kind counts.
func take(names pkix.RDNSequence, into map[string]*string) {
	for _, set := range names {
		for _, attribute := range set {
			field := into[attribute.Type.String()]
			if text, is := attribute.Value.(string); is && field != nil && *field == "" {
				*field = text
			}
		}
	}
}
