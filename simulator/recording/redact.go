package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// secretParts are parts of the names of fields whose values are removed, in lower
// case and without hyphens and underscores.
var secretParts = []string{"token", "secret", "password", "authorization", "apikey", "privatekey"}

// isSecret reports whether a field with this plain name is secret.
func isSecret(name string) bool {
	if name == "tokentype" {
		return false
	}
	return strings.HasPrefix(name, "otp") || strings.HasSuffix(name, "otp") ||
		slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(name, part) })
}

// namedSecret matches the name of a secret with its value after it, in a text that
// is not JSON or a text inside JSON.
var namedSecret = regexp.MustCompile(`(?i)(token|secret|password|otp|authorization|api[-_]?key|private[-_]?key)[-_\w]*[\\"']*\s*[:=>]`)

// documentNames are the fields with documents. They are stored as they are: a
// stamped document contains the certificate of its device, which is public. The
// base64 of that certificate can also be the token, by the position of the
// certificate in the document.
var documentNames = []string{"invoice", "clearedinvoice"}

func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

// redacted is a body without secrets.
type redacted struct {
	body []byte
	cut  string            // why it is not complete
	gone map[string]string // the removed texts by plain name, the first of each
}

// redact removes secrets from a body: the values of the fields whose names are
// secret, and every text that contains one of the known secrets or names one.
// Everything else is kept byte for byte, except a byte order mark. Of a body that
// is not valid JSON it keeps the valid beginning.
func redact(body []byte, known []string) redacted {
	body = bytes.TrimPrefix(body, []byte("\uFEFF"))
	if trimmed := bytes.TrimSpace(body); len(trimmed) == 0 || !bytes.ContainsAny(trimmed[:1], `{["`) {
		return redactText(body, known)
	}
	first := redactJSON(body, known)
	if len(first.gone) == 0 {
		return first
	}
	// A text before or after a secret can repeat it.
	again := redactJSON(first.body, withSecrets(known, slices.Collect(maps.Values(first.gone))...))
	return redacted{body: again.body, cut: first.cut, gone: first.gone}
}

func redactJSON(body []byte, known []string) redacted {
	w := walker{from: body, known: known, result: redacted{gone: map[string]string{}}}
	if err := w.walk(); err != nil {
		w.result.cut = fmt.Sprintf("not valid JSON after %d bytes", w.copied)
	}
	return w.result
}

// redactText removes known secrets from a text that is not JSON, such as the page
// of a gateway that repeats the request. A text that could contain another secret
// is not kept.
func redactText(text []byte, known []string) redacted {
	text = scrub(text, known)
	plain := bytes.ReplaceAll(text, []byte{0}, nil) // of UTF-16
	plain = bytes.ReplaceAll(plain, []byte(Removed), nil)
	if namedSecret.Match(plain) || !bytes.Equal(plain, scrub(plain, known)) {
		return redacted{cut: "not JSON, and it may contain a secret"}
	}
	return redacted{body: text}
}

// scrub removes known secrets from a text.
func scrub(text []byte, known []string) []byte {
	for _, secret := range known {
		text = bytes.ReplaceAll(text, []byte(secret), []byte(Removed))
	}
	return text
}

// walker copies JSON token by token and replaces secrets.
type walker struct {
	from   []byte
	known  []string
	copied int // bytes of from that were copied or replaced
	levels []level
	result redacted
}

// level is an object or a list.
type level struct {
	object bool
	onName bool   // whether the next token is a name
	name   string // of the current field, plain
	secret bool   // whether everything in it is secret
}

func (w *walker) walk() error {
	decoder := json.NewDecoder(bytes.NewReader(w.from))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && len(w.levels) == 0 {
			w.result.body = append(w.result.body, w.from[w.copied:]...) // white space
			return nil
		}
		if err != nil {
			return err
		}
		w.add(token, w.from[w.copied:decoder.InputOffset()])
		w.copied = int(decoder.InputOffset())
	}
}

// add copies a token with the separators before it, or replaces it.
func (w *walker) add(token json.Token, raw []byte) {
	replacement := w.visit(token)
	if replacement == "" {
		w.result.body = append(w.result.body, raw...)
		return
	}
	at := bytes.IndexFunc(raw, func(r rune) bool { return !strings.ContainsRune(" \t\r\n,:", r) })
	w.result.body = append(append(w.result.body, raw[:at]...), replacement...)
}

// visit follows the structure and returns the replacement of a secret, or "".
func (w *walker) visit(token json.Token) string {
	switch delim, _ := token.(json.Delim); delim {
	case '{', '[':
		w.levels = append(w.levels, level{object: delim == '{', onName: delim == '{', secret: w.inSecret()})
		return ""
	case '}', ']':
		w.levels = w.levels[:len(w.levels)-1]
		w.valueEnded()
		return ""
	}
	if len(w.levels) > 0 {
		if top := &w.levels[len(w.levels)-1]; top.onName {
			name, _ := token.(string) // a name is a string
			top.name, top.onName = plainName(name), false
			return w.replacement(name, false)
		}
	}
	defer w.valueEnded()
	return w.replacement(token, w.inSecret())
}

func (w *walker) valueEnded() {
	if len(w.levels) > 0 {
		top := &w.levels[len(w.levels)-1]
		top.onName = top.object
	}
}

// inSecret reports whether the next value is secret.
func (w *walker) inSecret() bool {
	if len(w.levels) == 0 {
		return false
	}
	top := w.levels[len(w.levels)-1]
	return top.secret || top.object && isSecret(top.name)
}

// replacement returns the replacement of a name or a value. It has the same type.
func (w *walker) replacement(token json.Token, secret bool) string {
	const removed = `"` + Removed + `"`
	switch value := token.(type) {
	case string:
		if secret {
			w.remember(value)
			return removed
		}
		if w.inDocument() {
			return ""
		}
		if namedSecret.MatchString(value) || slices.ContainsFunc(w.known, func(known string) bool { return strings.Contains(value, known) }) {
			return removed
		}
	case json.Number:
		if secret || slices.Contains(w.known, value.String()) {
			return "0"
		}
	}
	return ""
}

func (w *walker) inDocument() bool {
	return len(w.levels) > 0 && slices.Contains(documentNames, w.levels[len(w.levels)-1].name)
}

func (w *walker) remember(value string) {
	if name := w.levels[len(w.levels)-1].name; name != "" && w.result.gone[name] == "" {
		w.result.gone[name] = value
	}
}
