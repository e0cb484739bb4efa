package view

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Field is a header, or a member of a body. Removed reports that its value is
// not shown.
type Field struct {
	Name, Value string
	Removed     bool
}

// shownHeaders are the headers whose values are shown. Every other header may
// contain a secret.
var shownHeaders = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Accept-Version", "Clearance-Status", "Connection",
	"Content-Encoding", "Content-Length", "Content-Type", "Date", "Expect", "User-Agent",
}

const (
	maxHeaders = 40
	maxValue   = 300  // characters of a header
	maxPath    = 200  // characters of a path
	maxPlain   = 2000 // characters of a body that is not JSON
)

// Headers returns the headers of a request without secrets, sorted by name.
func Headers(r *http.Request) []Field {
	secrets := secretsOf(r.Header)
	list := []Field{{Name: "Host", Value: clip(r.Host, maxValue)}}
	for name, values := range r.Header {
		for _, value := range values {
			f := Field{Name: clip(name, 60), Value: clip(value, maxValue)}
			if !slices.Contains(shownHeaders, name) || mentions(value, secrets) {
				f.Value, f.Removed = "", true
			}
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return list[:min(len(list), maxHeaders)]
}

// Path returns the path of a request without its query, or "" if it contains a
// secret of the request.
func Path(r *http.Request) string {
	if mentions(r.URL.Path, secretsOf(r.Header)) {
		return ""
	}
	return clip(r.URL.EscapedPath(), maxPath)
}

// secretsOf returns the secrets that the headers of a request contain.
func secretsOf(h http.Header) []string {
	secrets := slices.Concat(h.Values("OTP"), h.Values("Cookie"), h.Values("Proxy-Authorization"))
	for _, value := range h.Values("Authorization") {
		_, encoded, _ := strings.Cut(value, " ")
		secrets = append(secrets, encoded)
		if decoded, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			token, secret, _ := strings.Cut(string(decoded), ":")
			secrets = append(secrets, token, secret)
		}
	}
	return slices.DeleteFunc(secrets, func(s string) bool { return len(s) < 4 }) // a shorter text is in many others
}

func mentions(text string, secrets []string) bool {
	return slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(text, s) })
}

// shownMembers are the members of a body whose values are shown: those that the
// authority's API defines. A client may have put a secret into any other.
var shownMembers = []string{"csr", "compliance_request_id", "invoiceHash", "uuid", "invoice"}

// members returns the members of a JSON object in order, without secrets, and
// whether the body is one.
func members(body []byte) ([]Field, bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return nil, false
	}
	var list []Field
	for decoder.More() {
		token, err := decoder.Token()
		name, _ := token.(string)
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			return nil, false
		}
		f := Field{Name: clip(name, 60), Removed: true}
		if slices.Contains(shownMembers, name) {
			f.Value, f.Removed = clip(string(value), maxBody), false
		}
		if list = append(list, f); len(list) > maxHeaders {
			return nil, false
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, false
	}
	return list, true
}

// Texts in a body that is not JSON: names of secrets, and what may be a one-time
// password.
var (
	secretName = regexp.MustCompile(`(?i)otp|secret|token|passw|auth|bearer|basic|key`)
	sixDigits  = regexp.MustCompile(`\d{6,}`)
)

// plain returns a body that is not JSON, or "" if it may contain a secret.
func plain(body []byte) string {
	if secretName.Match(body) || sixDigits.Match(body) {
		return ""
	}
	return clip(string(body), maxPlain)
}

// documentOf returns the document in a body, or nil.
func documentOf(body []byte) []byte {
	var sent struct {
		Invoice *string `json:"invoice"`
	}
	if json.Unmarshal(body, &sent) != nil || sent.Invoice == nil {
		return nil
	}
	document, err := base64.StdEncoding.DecodeString(*sent.Invoice)
	if err != nil || len(document) == 0 {
		return nil
	}
	return document
}

// clip returns a text without characters that could change the direction of the
// text around it, as valid UTF-8 and with at most so many characters.
func clip(text string, most int) string {
	if len(text) > most*utf8.UTFMax {
		text = text[:most*utf8.UTFMax]
	}
	count := 0
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069', r == '\uFEFF':
			return -1
		case r == '\n' || r == '\t':
		case unicode.IsControl(r):
			r = ' '
		}
		if count++; count > most {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
