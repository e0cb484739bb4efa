package simulator

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answer is a response of the authority. A string body is sent as plain text,
// any other body as JSON.
type answer struct {
	status int
	body   any
	header map[string]string
}

func (a answer) write(w http.ResponseWriter) {
	kind := "text/plain;charset=UTF-8"
	text, plain := a.body.(string)
	body := []byte(text)
	if !plain {
		kind = "application/json;charset=UTF-8"
		body, _ = json.Marshal(a.body) // a plain struct: cannot fail
	}
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.status)
	_, _ = w.Write(body) // an error means that the client has disconnected
}

// failure returns a 400 answer with a list of errors, the most common shape.
func failure(c *call, code, text string) answer {
	c.codes = append(c.codes, code)
	type entry struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	return answer{status: http.StatusBadRequest, body: struct {
		Errors []entry `json:"errors"`
	}{[]entry{{code, text}}}}
}

// short returns an answer with a single code and message, without a list.
func short(status int, code, text string) answer {
	return answer{status: status, body: struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{code, text}}
}

func internal() *answer {
	a := short(http.StatusInternalServerError, "Invalid-Request", "System failed to process your request")
	return &a
}

// badBody returns the answer for a body that is not the expected JSON object.
func badBody(c *call, err error) answer {
	c.refuse("Invalid-Request", why{"the body is not the expected JSON object: " + err.Error(), "body", "Send one JSON object whose fields are strings, in UTF-8."})
	return short(http.StatusBadRequest, "Invalid-Request", "System failed to process your request")
}

func notAcceptable() *answer {
	return &answer{status: http.StatusNotAcceptable, body: "This Version is not supported or not provided in the header."}
}

func unauthorized(now time.Time) *answer {
	return &answer{status: http.StatusUnauthorized, body: struct {
		Timestamp int64  `json:"timestamp"`
		Status    int    `json:"status"`
		Error     string `json:"error"`
		Message   string `json:"message"`
	}{now.UnixMilli(), http.StatusUnauthorized, "Unauthorized", ""}}
}

// refusedByGateway returns an answer of the gateway in front of the authority.
// The bodies of the real gateway are not known; these follow the usual format
// of its vendor.
func refusedByGateway(status int, more string) *answer {
	return &answer{status: status, body: struct {
		Code    string `json:"httpCode"`
		Message string `json:"httpMessage"`
		More    string `json:"moreInformation"`
	}{strconv.Itoa(status), http.StatusText(status), more}}
}

func notFound() *answer {
	return refusedByGateway(http.StatusNotFound, "No resources match requested URI")
}

func methodNotAllowed(allowed []string) *answer {
	a := refusedByGateway(http.StatusMethodNotAllowed, "The method is not allowed for the requested URL")
	a.header = map[string]string{"Allow": strings.Join(allowed, ", ")}
	return a
}

func closed() *answer {
	return refusedByGateway(http.StatusServiceUnavailable, "The simulator is closed")
}
