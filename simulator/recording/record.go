package recording

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"time"
)

// The headers that are stored. Of the first two only their presence is stored.
var (
	secretHeaders   = []string{"Authorization", "Otp"}
	requestHeaders  = []string{"Accept", "Accept-Language", "Accept-Version", "Clearance-Status", "Content-Encoding", "Content-Type"}
	responseHeaders = []string{"Allow", "Content-Encoding", "Content-Language", "Content-Type", "Date", "Location", "Retry-After"}
)

// call is an exchange in progress.
type call struct {
	began    time.Time
	path     string
	request  *http.Request
	sent     capture
	response capturedResponse
	err      error // of the upstream
	broken   bool  // whether the response ended early
}

func (p *Proxy) record(w http.ResponseWriter, r *http.Request, rest string) {
	c := &call{began: p.cfg.Now(), path: rest, request: r, response: capturedResponse{ResponseWriter: w}}
	forwarded := r.WithContext(context.WithValue(r.Context(), errorKey{}, &c.err))
	forwarded.Body = &capturedBody{r.Body, &c.sent}
	if r.ContentLength == 0 {
		forwarded.Body = http.NoBody // without it, an empty body would be sent chunked
	}
	defer func() {
		caught := recover() // the reverse proxy panics if the response ends early
		c.broken = caught != nil
		p.store(c)
		if caught != nil {
			panic(caught)
		}
	}()
	p.forward.ServeHTTP(&c.response, forwarded)
}

// store numbers and stores an exchange.
func (p *Proxy) store(c *call) {
	e := p.exchange(c)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	e.Number = p.last
	if err := p.cfg.Store(e); err != nil {
		if p.failed == nil {
			p.failed = err
		}
		return
	}
	if p.cfg.Stored != nil {
		p.cfg.Stored(e)
	}
}

// exchange returns the exchange without its number and without secrets.
func (p *Proxy) exchange(c *call) Exchange {
	e := Exchange{
		Version: Version, Session: p.cfg.Session, Time: c.began.UTC(), Took: p.cfg.Now().Sub(c.began).Milliseconds(),
		Environment: p.environment, Method: c.request.Method, Path: c.path,
	}
	known := p.identify(c, &e)
	e.Path = string(scrub([]byte(e.Path), known))
	request := redact(p.content(&e.Request, &c.sent, c.request.Header, requestHeaders, known))
	finish(&e.Request, request)
	if c.err != nil {
		e.Error = string(scrub([]byte(c.err.Error()), known))
		return e
	}
	e.Response = &Message{Status: c.response.status}
	response := redact(p.content(e.Response, &c.response.body, c.response.header, responseHeaders, known))
	finish(e.Response, response)
	if c.broken {
		e.Error = "the response ended early"
	}
	if token, secret := response.gone["binarysecuritytoken"], response.gone["secret"]; token != "" && secret != "" {
		e.Issued = p.identities.issue(token, secret)
	}
	return e
}

// identify names the credential of a request and returns the secrets that are
// known now, also those of this request.
func (p *Proxy) identify(c *call, e *Exchange) []string {
	header := c.request.Header
	known := withSecrets(nil, header.Values("Otp")...)
	if token, secret, basic := c.request.BasicAuth(); basic {
		e.Credential = p.identities.use(token, secret)
		e.Certificate = CertificateOf(token)
		known = withSecrets(known, token, secret, base64.StdEncoding.EncodeToString([]byte(token+":"+secret)))
	}
	return withSecrets(append(known, p.identities.known()...), header.Values("Authorization")...)
}

// content stores the headers of a message and returns its body to be redacted.
func (p *Proxy) content(m *Message, from *capture, header http.Header, stored, known []string) ([]byte, []string) {
	m.Header = http.Header{}
	for name, values := range header {
		switch {
		case slices.Contains(secretHeaders, name):
			m.Header[name] = []string{Removed}
		case slices.Contains(stored, name):
			for _, value := range values {
				m.Header.Add(name, string(scrub([]byte(value), known)))
			}
		}
	}
	var body []byte
	body, m.Bytes, m.Cut = from.content(header.Get("Content-Encoding"))
	return body, known
}

func finish(m *Message, r redacted) {
	m.setBody(r.body)
	if m.Cut == "" {
		m.Cut = r.cut
	}
}
