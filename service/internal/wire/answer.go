package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

var errPanic = errors.New("panic")

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
func writeCached(w http.ResponseWriter, r *http.Request, row *Route, body []byte) int {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "private, max-age="+strconv.Itoa(int(row.Cache.Seconds())))
	w.Header().Set("Vary", "Authorization")
	if matches(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return http.StatusNotModified
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(row.Status)
	_, _ = w.Write(body)
	return row.Status
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

// named is a part of a path that can only be a name or an id of ours.
var named = regexp.MustCompile(`^[A-Za-z0-9._-]{0,36}$`)

// loggable is a path as the log may have it. What is neither name nor id may be
// a token or an e-mail that was pasted there, and is left out; a key is known by
// its public name.
func loggable(path string) string {
	const public = 12
	parts := strings.Split(path, "/")
	for i, p := range parts {
		switch {
		case org.LooksLikeKey(p) && len(p) > public:
			parts[i] = p[:public] + "…"
		case !named.MatchString(p):
			parts[i] = "…"
		}
	}
	return printable(strings.Join(parts, "/"))
}

// printable keeps a path to one line.
func printable(path string) string {
	const most = 200
	if len(path) > most {
		path = path[:most] + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, path)
}
