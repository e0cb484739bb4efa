package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

var errPanic = errors.New("panic")

// statusClientClosed is the status that is logged when the client has closed the
// connection before the response. nginx uses the same number. It is never sent: a
// client that has closed only its side of the connection still reads a response.
const statusClientClosed = 499

var statusOf = map[fault.Kind]int{
	fault.Internal:        http.StatusInternalServerError,
	fault.Invalid:         http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.NotAllowed:      http.StatusMethodNotAllowed,
	fault.Conflict:        http.StatusConflict,
	fault.Exhausted:       http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
}

// shown returns an error as the caller may see it. An error that is not a
// fault.Error becomes an internal error, whose cause is logged and not sent.
func (f *Frame) shown(r *http.Request, err error) *fault.Error {
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind() == fault.Internal {
		e = fault.New(fault.InternalError, "")
	}
	c := callOf(r)
	if c.public {
		e = publicBusy(e)
	}
	if e.Kind() == fault.Internal || e.Kind() == fault.Unavailable && !capacity.IsBusy(err) {
		c.blame(r, err)
	}
	return e
}

// refuse writes an error response.
func (f *Frame) refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := f.shown(r, err)
	body := bodyOf(e, callOf(r))
	if e.Again > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.Again.Seconds())))
	}
	switch e.Kind() {
	case fault.Unauthenticated:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case fault.Unavailable:
		if w.Header().Get("Retry-After") == "" {
			w.Header().Set("Retry-After", "2")
		}
	}
	writeJSON(w, statusOf[e.Kind()], body)
}

// publicBusy returns an error about lack of capacity in the shape of the public
// surface, and other errors unchanged.
func publicBusy(e *fault.Error) *fault.Error {
	code, text := e.Code(), e.Message
	switch code {
	case fault.ServerBusy:
		code, text = fault.ToolsBusy, "Too many files and invoices are being processed at the moment. Try again shortly."
	case fault.UploadsBusy:
	default:
		return e
	}
	detail := fault.Detail(code, text)
	detail.Again, detail.Cause = e.Again, e
	return detail
}

// bodyOf returns the body of an error response: the error's own fields, message
// or detail, and code and errors, unless docs/contract.md requires a response
// without code.
func bodyOf(e *fault.Error, c *call) map[string]any {
	body := map[string]any{}
	for name, value := range e.Fields {
		body[name] = value
	}
	switch {
	case e.Kind() == fault.Internal:
		body["message"] = "Something went wrong on our side. Quote the request id " + c.id + " when you ask about it."
	case e.Problems != nil:
		body["message"] = texts(e.Problems)
	case e.Message != "":
		body["message"] = e.Message
	}
	if e.Kind() == fault.Unauthenticated {
		body["status"] = "false"
	}
	if e.Code().Entry().Silent {
		return body
	}
	body["code"] = e.Code()
	if e.Kind() != fault.Internal {
		body["errors"] = problemsOf(e, c.root)
	}
	return body
}

func texts(problems []fault.Problem) []string {
	list := make([]string, len(problems))
	for i, p := range problems {
		list[i] = p.String()
	}
	return list
}

// writeJSON writes a JSON response. It panics if value cannot be encoded.
func writeJSON(w http.ResponseWriter, status int, value any) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Errorf("encode response: %w", err))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(buffer.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(buffer.Bytes())
}

// writeCached writes a response that is the same for every caller, or 304 if the
// caller already has it.
func writeCached(w http.ResponseWriter, r *http.Request, row *Route, body []byte) {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "private, max-age="+strconv.Itoa(int(row.Cache.Seconds())))
	w.Header().Set("Vary", "Authorization")
	if matches(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(row.Status)
	_, _ = w.Write(body)
}

func matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == tag || candidate == "*" {
			return true
		}
	}
	return false
}

// learn records the fixed segments of a path as safe to log.
func (f *Frame) learn(path string) {
	for word := range strings.SplitSeq(path, "/") {
		if !strings.HasPrefix(word, "{") {
			f.words[word] = true
		}
	}
}

// loggable returns a path that matches no route in a form that is safe to log. It
// keeps ids and segments of our own paths. Other segments may be tokens or e-mail
// addresses and are replaced by "…"; of a key, the public name is kept.
func (f *Frame) loggable(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if f.words[p] || isID(p) {
			continue
		}
		name := org.FormedKeyName(p)
		parts[i] = name + "…"
	}
	return printable(strings.Join(parts, "/"))
}

// isID reports whether text is a UUID with dashes; 32 digits without dashes may
// be a token.
func isID(text string) bool {
	const length = 36
	return len(text) == length && uuid.Validate(text) == nil
}

// printable shortens a path and replaces characters that cannot be printed.
func printable(path string) string {
	const most = 200
	if len(path) > most {
		path = strings.ToValidUTF8(path[:most], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, path)
}
