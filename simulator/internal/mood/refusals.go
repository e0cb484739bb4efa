package mood

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

func always(*injection) bool { return true }

func inShare(s *injection) bool { return Rate(s.rng.IntN(int(Always))) < s.setting.Accepted }

func (s *injection) drawStatus() int {
	s.status = s.setting.Statuses[s.rng.IntN(len(s.setting.Statuses))]
	return s.status
}

// behindGatewayTimeout draws the status and reports whether the handler runs:
// for a share of the 504 answers. Of all server errors, only 504 was observed
// to hide an accepted document.
func behindGatewayTimeout(s *injection) bool {
	return s.drawStatus() == http.StatusGatewayTimeout && inShare(s)
}

func serverError(s *injection, a *answer) bool {
	if s.status == http.StatusInternalServerError && s.endpoint != Renewal {
		a.sayJSON(s.status, `{"code":"Invalid-Request","message":"System failed to process your request"}`)
		return true
	}
	a.sayJSON(s.status, gatewayBody(s.status))
	return true
}

// gatewayBody returns the body of a gateway error. The authority's gateway was
// observed to send it with a 500; the bodies for other statuses are not known
// and have the same shape.
func gatewayBody(status int) string {
	message := http.StatusText(status)
	if status == http.StatusInternalServerError {
		message = "Something went wrong and caused an Internal Server Error."
	}
	return fmt.Sprintf(`{"category":"HTTP-Errors","code":"%d","message":"%s"}`, status, message)
}

func tooManySilent(_ *injection, a *answer) bool {
	a.sayJSON(http.StatusTooManyRequests, gatewayBody(http.StatusTooManyRequests))
	return true
}

func tooMany(s *injection, a *answer) bool {
	tooManySilent(s, a)
	a.header.Set("Retry-After", strconv.FormatInt(int64(s.setting.RetryAfter/time.Second), 10))
	return true
}

func unauthorised(s *injection, a *answer) bool {
	a.sayJSON(http.StatusUnauthorized, fmt.Sprintf(
		`{"timestamp":%d,"status":401,"error":"Unauthorized","message":""}`, s.now().UnixMilli()))
	return true
}

func tooLarge(_ *injection, a *answer) bool {
	a.sayJSON(http.StatusRequestEntityTooLarge, gatewayBody(http.StatusRequestEntityTooLarge))
	return true
}

// clearanceOff replaces the answer with a 303 and the authority's message,
// including its spelling mistake.
func clearanceOff(_ *injection, a *answer) bool {
	a.sayJSON(http.StatusSeeOther,
		`{"message":"Clearance is deactiviated. Please use the /invoices/reporting/single endpoint instead."}`)
	return true
}

// emptyRejections are results without messages, without lists, or with a
// message of nulls.
var emptyRejections = []string{
	`{"infoMessages":[],"warningMessages":[],"errorMessages":[],"status":"ERROR"}`,
	`{"infoMessages":null,"warningMessages":null,"errorMessages":null,"status":null}`,
	`{"infoMessages":[],"warningMessages":[],"errorMessages":[{"type":null,"code":null,"category":null,"message":null,"status":null}],"status":"ERROR"}`,
}

func emptyRejection(s *injection, a *answer) bool {
	a.sayJSON(http.StatusBadRequest, refusal(s.endpoint, emptyRejections[s.rng.IntN(len(emptyRejections))]))
	return true
}

// refusal wraps results in the body with which an endpoint rejects a document.
func refusal(e Endpoint, results string) string {
	switch e {
	case Clearance:
		return `{"validationResults":` + results + `,"clearanceStatus":"NOT_CLEARED","clearedInvoice":null}`
	case ComplianceCheck:
		return `{"validationResults":` + results + `,"reportingStatus":"NOT_REPORTED","clearanceStatus":"NOT_CLEARED","qrSellertStatus":null,"qrBuyertStatus":null}`
	}
	return `{"validationResults":` + results + `,"reportingStatus":"NOT_REPORTED"}`
}

func withBadRequest(s *injection) bool { return s.drawStatus() == http.StatusBadRequest }

// contradiction covers the two cases in which trusting only the status does
// harm: a rejected invoice is treated as accepted, or an accepted invoice is
// issued again.
func contradiction(s *injection, a *answer) bool {
	if s.status == http.StatusBadRequest {
		if !a.accepts() {
			return false
		}
		a.status = http.StatusBadRequest
		return true
	}
	a.sayJSON(s.status, refusal(s.endpoint, `{"infoMessages":[],"warningMessages":[],"errorMessages":[`+
		`{"type":"ERROR","code":"GENERAL","category":"BUSINESS_RULES","message":"Unable to execute Business Rules validation","status":"ERROR"}`+
		`],"status":"ERROR"}`))
	return true
}

// duplicateMessages are the observed texts for a duplicate.
var duplicateMessages = []string{
	"Invoice was already Reported successfully earlier.",
	"Invoice was already reported successfully earlier.",
	"Invoice Hash Previously Submitted",
}

// duplicateFirst simulates a gateway that retries a slow call: the client gets
// the answer to the second call.
func duplicateFirst(s *injection, a *answer) bool {
	if !a.accepts() {
		return false
	}
	if s.endpoint == Clearance {
		a.status = http.StatusAlreadyReported
		return true
	}
	a.sayJSON(http.StatusConflict, refusal(s.endpoint, `{"infoMessages":[],"warningMessages":[],"errorMessages":[`+
		`{"type":"ERROR","code":"Invoice-Errors","category":"Duplicate-Invoice","message":"`+
		duplicateMessages[s.rng.IntN(len(duplicateMessages))]+`","status":"ERROR"}],"status":"ERROR"}`))
	return true
}
