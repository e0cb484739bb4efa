package simulator

import (
	"errors"
	"net/http"
	"slices"

	"khatm/simulator/internal/ca"
)

// version is the only one of the protocol that is spoken.
const version = "V2"

// watch stands around mood and protocol: whatever became of a request, it is in
// the journal, counted and logged.
func (s *Simulator) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{began: s.clock.now(), header: r.Header, ticket: ticket{gate: s.gate}}
		c.lost = find(c, r.Method, r.URL.Path)
		seen := &watched{ResponseWriter: w}
		c.arrival = &timedBody{ReadCloser: r.Body, connection: http.NewResponseController(w), patience: s.cfg.Patience}
		r.Body = c.arrival
		defer func() {
			caught := recover() // a dropped connection is a panic on purpose
			s.end(c, seen)
			s.log.line(r, c, seen)
			if caught != nil {
				panic(caught)
			}
		}()
		next.ServeHTTP(seen, withCall(r, c))
	})
}

// end records what the mood answered by itself, and counts.
func (s *Simulator) end(c *call, seen *watched) {
	if !c.written {
		_ = s.note(c, seen.status) // there is nobody left to tell
	}
	s.counts.add(c, seen.status)
}

// serve is the protocol without mood.
func (s *Simulator) serve(w http.ResponseWriter, r *http.Request) {
	c := callOf(r)
	c.mood = s.mood.applied(r)
	defer c.ticket.end()
	a := s.admit(c, w, r)
	if a == nil {
		a = s.act(c, r)
	}
	if !c.written {
		if err := s.note(c, a.status); err != nil && !errors.Is(err, errClosed) {
			a = internal()
		}
	}
	a.write(w)
}

// admit does what comes before the operation itself: path, version, credential
// and body, in this order.
func (s *Simulator) admit(c *call, w http.ResponseWriter, r *http.Request) *answer {
	if c.lost != nil {
		return c.lost
	}
	if !slices.Equal(r.Header.Values("Accept-Version"), []string{version}) {
		return notAcceptable()
	}
	if a := s.greet(c, r); a != nil {
		return a
	}
	var a *answer
	c.body, a = s.readBody(c, w, r)
	return a
}

// greet asks for the credential before anything of the body is read.
func (s *Simulator) greet(c *call, r *http.Request) *answer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.authenticate(c, r)
}

// authenticate lets in whom the operation is for; the caller holds s.mu.
func (s *Simulator) authenticate(c *call, r *http.Request) *answer {
	switch {
	case s.state == nil:
		return closed()
	case c.route.kind == "":
		return nil
	}
	token, secret, given := r.BasicAuth()
	if !given {
		return unauthorized(c.began)
	}
	credential, err := s.state.ca.Authenticate(c.environment, token, secret, c.began)
	if err != nil || credential.Kind != c.route.kind {
		return unauthorized(c.began)
	}
	c.credential = credential
	return nil
}

// act runs the operation while nothing is reset or closed. While the body was
// on its way the credential may have been revoked, so it is asked for again.
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

// note writes the record of a call.
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

// refusal turns what the certificate authority refused into an answer.
func refusal(c *call, err error) answer {
	var denied *ca.Denied
	var refused *ca.Refusal
	switch {
	case errors.Is(err, errPassword):
		return failure(c, "Invalid-OTP", "The provided OTP is invalid")
	case errors.As(err, &denied):
		return *unauthorized(c.began)
	case errors.As(err, &refused):
		return refusedRequest(c, refused)
	}
	return *internal()
}

// refusedRequest has three shapes, as the authority's answers have.
func refusedRequest(c *call, r *ca.Refusal) answer {
	switch r.Cause {
	case ca.NoRequest:
		return failure(c, "Missing-CSR", "CSR is required field")
	case ca.UnknownRequestID:
		return failure(c, "Invalid-ComplianceRequestId", "The provided compliance request id is invalid")
	case ca.BadIndustry:
		c.codes = append(c.codes, "Invalid-Industry")
		return answer{status: http.StatusBadRequest, body: message{
			Type: "ERROR", Code: "Invalid-Industry", Category: "CSR-Errors",
			Message: "The provided business category is invalid", Status: "ERROR",
		}}
	}
	c.codes = append(c.codes, "Invalid-CSR")
	return answer{status: http.StatusBadRequest, body: struct {
		Code     string `json:"errorCode"`
		Category string `json:"errorCategory"`
		Message  string `json:"errorMessage"`
	}{"400", "Invalid-CSR", "The provided Certificate Signing Request (CSR) is invalid."}}
}
