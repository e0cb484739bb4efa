package simulator

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answer is what the authority says: a text is sent as it is, anything else as
// JSON.
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
		body, _ = json.Marshal(a.body) // of plain structs: cannot fail
	}
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.status)
	_, _ = w.Write(body) // who does not listen is not told
}

// failure is the shape most refusals have.
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

// short is the shape without a list.
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

func badBody() answer {
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

// refusedByGateway is what never reached the authority itself. The real
// gateway's bodies are not known; these are in the manner of its make.
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
