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

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

var errPanic = errors.New("panic")

// statusLeft is observed where the caller left and that broke the call off.
// The number is nginx's; nobody is there to read it.
const statusLeft = 499

var statusOf = map[fault.Kind]int{
	fault.Internal:        http.StatusInternalServerError,
	fault.Invalid:         http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.Exhausted:       http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
}

// refuse answers with a fault in one of the interface's shapes. Whatever is no
// fault is told as internal: the cause goes to the log and nowhere else.
func (f *Frame) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var e *fault.Error
	if !errors.As(err, &e) {
		e = &fault.Error{Kind: fault.Internal}
	}
	c := callOf(r)
	if e.Kind == fault.Internal || e.Kind == fault.Unavailable {
		c.cause = err
		if r.Context().Err() != nil && !errors.Is(err, errPanic) {
			writeJSON(w, statusLeft, map[string]any{"message": "The caller left."})
			return
		}
	}
	body := map[string]any{}
	for name, value := range e.Fields {
		body[name] = value
	}
	switch {
	case e.Kind == fault.Internal:
		body["message"] = "Something went wrong on our side. Quote the request id " + c.id + " when you ask about it."
	case e.Problems != nil:
		body["message"] = texts(e.Problems)
	case e.Message != "":
		body["message"] = e.Message
	}
	if e.Code != "" {
		body["code"] = e.Code
	}
	if e.Again > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.Again.Seconds())))
	}
	switch e.Kind {
	case fault.Unauthenticated:
		body["status"] = "false"
		w.Header().Set("WWW-Authenticate", "Bearer")
	case fault.Unavailable:
		if w.Header().Get("Retry-After") == "" {
			w.Header().Set("Retry-After", "2")
		}
	}
	writeJSON(w, statusOf[e.Kind], body)
}

func texts(problems []fault.Problem) []string {
	list := make([]string, len(problems))
	for i, p := range problems {
		list[i] = p.String()
	}
	return list
}

// writeJSON answers with a value. Encoding what we made ourselves cannot fail.
func writeJSON(w http.ResponseWriter, status int, value any) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Errorf("encode an answer: %w", err))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(buffer.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(buffer.Bytes())
}

// writeCached answers with a body that is the same for everybody, or with 304
// to whoever has it already.
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

// learn keeps the words of a path, for the log.
func (f *Frame) learn(path string) {
	for word := range strings.SplitSeq(path, "/") {
		if !strings.HasPrefix(word, "{") {
			f.words[word] = true
		}
	}
}

// loggable is a path that no row has, as the log may have it: words of our own
// paths and ids. Anything else may be a token or an e-mail that was pasted there
// and is left out; a key is known by its public name.
func (f *Frame) loggable(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if f.words[p] || isID(p) {
			continue
		}
		name, _, _ := org.SplitKey(p)
		parts[i] = name + "…"
	}
	return printable(strings.Join(parts, "/"))
}

// isID says whether a text is a UUID with its dashes: 32 digits without may be
// a token.
func isID(text string) bool {
	const length = 36
	return len(text) == length && uuid.Validate(text) == nil
}

// printable keeps a path to one line.
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
