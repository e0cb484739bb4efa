package simulator

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"khatm/simulator/internal/ca"
)

// version is the only supported value of the Accept-Version header.
const version = "V2"

// watch wraps the fault injection and the API, so that every request is
// recorded in the journal, counted and logged, whatever happens to it.
func (s *Simulator) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{began: s.clock.now(), header: r.Header, reservation: reservation{gate: s.gate}}
		c.unrouted = find(c, r.Method, r.URL.Path)
		seen := &watched{ResponseWriter: w, call: c}
		c.arrival = &timedBody{ReadCloser: r.Body, connection: http.NewResponseController(w), patience: s.cfg.Patience}
		r.Body = c.arrival
		defer func() {
			caught := recover() // faults drop connections by panicking
			s.end(c, seen)
			s.log.line(r, c, seen)
			s.recent.Add(shownRequest(r, c, seen.status))
			if caught != nil {
				panic(caught)
			}
		}()
		next.ServeHTTP(seen, withCall(r, c))
	})
}

// end counts the request. It also records the request if a fault kept it from
// the API.
func (s *Simulator) end(c *call, seen *watched) {
	if !c.written {
		_ = s.note(c, seen.status) // the response is already sent
	}
	s.counts.add(c, seen.status)
}

// serve is the API behind the fault injection.
func (s *Simulator) serve(w http.ResponseWriter, r *http.Request) {
	c := callOf(r)
	c.mood = s.mood.applied(r)
	defer c.reservation.release()
	a := s.admit(c, w, r)
	if a == nil {
		a = s.act(c, r)
	}
	if !c.written {
		if err := s.note(c, a.status); err != nil && !errors.Is(err, errClosed) {
			a = c.broke(err)
		}
	}
	c.decided = a.status
	a.write(w)
}

// admit checks path, version and credential and reads the body, in this order.
// It returns nil if the operation can run, otherwise the error answer.
func (s *Simulator) admit(c *call, w http.ResponseWriter, r *http.Request) *answer {
	if c.unrouted != nil {
		c.refuse("", unroutedWhy(c, r))
		return c.unrouted
	}
	if given := r.Header.Values("Accept-Version"); !slices.Equal(given, []string{version}) {
		c.refuse("", why{fmt.Sprintf("the header Accept-Version is %.40q", strings.Join(given, ", ")), "Accept-Version", "Send the header Accept-Version: V2, once and with a capital V."})
		return notAcceptable()
	}
	if a := s.authenticateFirst(c, r); a != nil {
		return a
	}
	var a *answer
	c.body, a = s.readBody(c, w, r)
	return a
}

// authenticateFirst checks the credential before any of the body is read.
func (s *Simulator) authenticateFirst(c *call, r *http.Request) *answer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.authenticate(c, r)
}

// authenticate checks the credential and its kind. It returns nil if the
// operation accepts them, otherwise the error answer. The caller holds s.mu.
func (s *Simulator) authenticate(c *call, r *http.Request) *answer {
	switch {
	case s.state == nil:
		c.refuse("", why{"the simulator is closed", "", "Start it again."})
		return closed()
	case c.route.kind == "":
		return nil
	}
	token, secret, given := r.BasicAuth()
	if !given {
		c.refuse("", why{"the request has no credentials", "Authorization", "Send the header Authorization: Basic with binarySecurityToken as user name and secret as password."})
		return unauthorized(c.began)
	}
	credential, err := s.state.ca.Authenticate(c.environment, token, secret, c.began)
	if err == nil && credential.Kind != c.route.kind {
		err = &ca.Denied{Denial: ca.OtherKind}
	}
	if err != nil {
		c.refuse("", s.deniedWhy(c, err, token, secret))
		return unauthorized(c.began)
	}
	c.credential = credential
	return nil
}

// act runs the operation under the read lock, so that no reset or Close can
// interfere. It authenticates again, because the credential may have been
// revoked while the body was received.
func (s *Simulator) act(c *call, r *http.Request) *answer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if a := s.authenticate(c, r); a != nil {
		return a
	}
	c.state = s.state
	a := c.route.verb(s, c)
	return &a
}

// note appends the record of a call to the journal.
func (s *Simulator) note(c *call, status int) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.state == nil {
		return errClosed
	}
	c.written = true
	_, err := s.state.journal.Append(c.record(status), nil)
	return err
}

// refusal converts an error of the certificate authority or of the password
// check into an answer.
func refusal(c *call, err error) answer {
	var denied *ca.Denied
	var refused *ca.Refusal
	var password *invalidPassword
	switch {
	case errors.As(err, &password):
		c.refuse("Invalid-OTP", why{password.cause, "OTP", password.fix})
		return failure(c, "Invalid-OTP", "The provided OTP is invalid")
	case errors.As(err, &denied):
		c.refuse("", denialWhy(c, denied))
		return *unauthorized(c.began)
	case errors.As(err, &refused):
		return refusedRequest(c, refused)
	}
	return *c.broke(err)
}

// broke returns the answer for an internal error, whose cause only the reasons
// contain.
func (c *call) broke(err error) *answer {
	c.refuse("Invalid-Request", why{"internal error of the simulator: " + err.Error(), "", "Check the disk and the folder of the simulator."})
	return internal()
}

// refusedRequest returns the answer for a refused certificate request. The
// authority uses three different shapes for it.
func refusedRequest(c *call, r *ca.Refusal) answer {
	w := why{r.Why(), r.Where(), r.Fix()}
	switch r.Cause {
	case ca.NoRequest:
		c.refuse("Missing-CSR", w)
		return failure(c, "Missing-CSR", "CSR is required field")
	case ca.UnknownRequestID:
		c.refuse("Invalid-ComplianceRequestId", w)
		return failure(c, "Invalid-ComplianceRequestId", "The provided compliance request id is invalid")
	case ca.BadIndustry:
		c.refuse("Invalid-Industry", w)
		c.codes = append(c.codes, "Invalid-Industry")
		return answer{status: http.StatusBadRequest, body: message{
			Type: "ERROR", Code: "Invalid-Industry", Category: "CSR-Errors",
			Message: "The provided business category is invalid", Status: "ERROR",
		}}
	}
	c.refuse("Invalid-CSR", w)
	c.codes = append(c.codes, "Invalid-CSR")
	return answer{status: http.StatusBadRequest, body: struct {
		Code     string `json:"errorCode"`
		Category string `json:"errorCategory"`
		Message  string `json:"errorMessage"`
	}{"400", "Invalid-CSR", "The provided Certificate Signing Request (CSR) is invalid."}}
}
