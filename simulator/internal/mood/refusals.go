package mood

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

func always(*strike) bool { return true }

func inShare(s *strike) bool { return Rate(s.rng.IntN(int(Always))) < s.setting.Accepted }

func (s *strike) drawStatus() int {
	s.status = s.setting.Statuses[s.rng.IntN(len(s.setting.Statuses))]
	return s.status
}

// behindGatewayTimeout: of all server errors only a 504 was seen to hide a
// document that had been accepted.
func behindGatewayTimeout(s *strike) bool {
	return s.drawStatus() == http.StatusGatewayTimeout && inShare(s)
}

func serverError(s *strike, a *answer) bool {
	if s.status == http.StatusInternalServerError && s.endpoint != Renewal {
		a.sayJSON(s.status, `{"code":"Invalid-Request","message":"System failed to process your request"}`)
		return true
	}
	a.sayJSON(s.status, gatewayBody(s.status))
	return true
}

// gatewayBody is the shape that the authority's gateway was seen to give a 500.
// Of the other statuses no body is known; theirs has the same shape.
func gatewayBody(status int) string {
	message := http.StatusText(status)
	if status == http.StatusInternalServerError {
		message = "Something went wrong and caused an Internal Server Error."
	}
	return fmt.Sprintf(`{"category":"HTTP-Errors","code":"%d","message":"%s"}`, status, message)
}

func tooManySilent(_ *strike, a *answer) bool {
	a.sayJSON(http.StatusTooManyRequests, gatewayBody(http.StatusTooManyRequests))
	return true
}

func tooMany(s *strike, a *answer) bool {
	tooManySilent(s, a)
	a.header.Set("Retry-After", strconv.FormatInt(int64(s.setting.RetryAfter/time.Second), 10))
	return true
}

func unauthorised(s *strike, a *answer) bool {
	a.sayJSON(http.StatusUnauthorized, fmt.Sprintf(
		`{"timestamp":%d,"status":401,"error":"Unauthorized","message":""}`, s.now().UnixMilli()))
	return true
}

func tooLarge(_ *strike, a *answer) bool {
	a.sayJSON(http.StatusRequestEntityTooLarge, gatewayBody(http.StatusRequestEntityTooLarge))
	return true
}

// clearanceOff spells its message as the authority does.
func clearanceOff(_ *strike, a *answer) bool {
	a.sayJSON(http.StatusSeeOther,
		`{"message":"Clearance is deactiviated. Please use the /invoices/reporting/single endpoint instead."}`)
	return true
}

// emptyRejections have no message, no list, or a message that says nothing.
var emptyRejections = []string{
	`{"infoMessages":[],"warningMessages":[],"errorMessages":[],"status":"ERROR"}`,
	`{"infoMessages":null,"warningMessages":null,"errorMessages":null,"status":null}`,
	`{"infoMessages":[],"warningMessages":[],"errorMessages":[{"type":null,"code":null,"category":null,"message":null,"status":null}],"status":"ERROR"}`,
}

func emptyRejection(s *strike, a *answer) bool {
	a.sayJSON(http.StatusBadRequest, refusal(s.endpoint, emptyRejections[s.rng.IntN(len(emptyRejections))]))
	return true
}

// refusal puts results into the answer that each endpoint gives to a document
// it does not take.
func refusal(e Endpoint, results string) string {
	switch e {
	case Clearance:
		return `{"validationResults":` + results + `,"clearanceStatus":"NOT_CLEARED","clearedInvoice":null}`
	case ComplianceCheck:
		return `{"validationResults":` + results + `,"reportingStatus":"NOT_REPORTED","clearanceStatus":"NOT_CLEARED","qrSellertStatus":null,"qrBuyertStatus":null}`
	}
	return `{"validationResults":` + results + `,"reportingStatus":"NOT_REPORTED"}`
}

func withBadRequest(s *strike) bool { return s.drawStatus() == http.StatusBadRequest }

// contradiction takes the two forms in which believing the status alone does
// harm: an invoice given up as accepted, and one issued anew though accepted.
func contradiction(s *strike, a *answer) bool {
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

// duplicateMessages are the wordings seen.
var duplicateMessages = []string{
	"Invoice was already Reported successfully earlier.",
	"Invoice was already reported successfully earlier.",
	"Invoice Hash Previously Submitted",
}

// duplicateFirst is what a gateway brings about that repeats a slow call by
// itself: the client sees the answer to the second one.
func duplicateFirst(s *strike, a *answer) bool {
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
