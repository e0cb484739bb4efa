package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"
)

// Sandbox is the base URL of the authority's developer portal.
const Sandbox = "https://gw-fatoora.zatca.gov.sa/e-invoicing/developer-portal"

// environments maps the last element of a base URL to an environment.
var environments = map[string]string{"developer-portal": "sandbox", "simulation": "simulation", "core": "production"}

// Config configures a Proxy.
type Config struct {
	Upstream string               // base URL of the authority, such as Sandbox
	Store    func(Exchange) error // receives each exchange, such as [File.Append]
	Session  string               // ID of this run
	Now      func() time.Time
	Stored   func(Exchange) // called after Store; may be nil
}

// Proxy forwards calls to the authority unchanged and records them. It is an
// [http.Handler] that serves the path of the upstream URL, so that a client needs
// only another host.
type Proxy struct {
	cfg         Config
	upstream    *url.URL
	environment string
	forward     *httputil.ReverseProxy
	transport   *http.Transport
	identities  *identities

	mu     sync.Mutex
	last   int   // number of the last exchange
	failed error // first error of Store
}

// NewProxy returns a proxy for one environment of the authority.
func NewProxy(cfg Config) (*Proxy, error) {
	upstream, err := checkUpstream(cfg.Upstream)
	if err != nil {
		return nil, err
	}
	p := &Proxy{cfg: cfg, upstream: upstream, identities: newIdentities()}
	p.environment = environments[path.Base(upstream.Path)]
	if p.environment == "" {
		return nil, fmt.Errorf("the upstream URL %s must end with /developer-portal, /simulation or /core", upstream)
	}
	p.transport = &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		DisableCompression:  true, // would add a header to the request
		IdleConnTimeout:     50 * time.Second,
	}
	p.forward = &httputil.ReverseProxy{
		Rewrite:      p.rewrite,
		Transport:    p.transport,
		ErrorHandler: p.noAnswer,
		ErrorLog:     stdlog.New(io.Discard, "", 0), // errors are part of the exchange
	}
	return p, nil
}

// checkUpstream refuses a URL over which credentials would not be safe.
func checkUpstream(text string) (*url.URL, error) {
	at, err := url.Parse(strings.TrimRight(text, "/"))
	switch {
	case err != nil || at.Hostname() == "":
		return nil, fmt.Errorf("the upstream URL %q is invalid; it must look like %s", text, Sandbox)
	case at.User != nil || at.RawQuery != "" || at.Fragment != "":
		return nil, errors.New("the upstream URL may have a path, but no user, query or fragment")
	case at.Scheme == "https", at.Scheme == "http" && isLoopback(at.Hostname()):
		return at, nil
	}
	return nil, fmt.Errorf("the upstream URL %s is not safe: it must begin with https://, or with http:// on a loopback address", at)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Path returns the path that the proxy serves, the same as that of the upstream.
func (p *Proxy) Path() string { return p.upstream.Path }

// Err returns the first error of storing an exchange. After it, calls are refused.
func (p *Proxy) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed
}

// Close closes idle connections.
func (p *Proxy) Close() { p.transport.CloseIdleConnections() }

func (p *Proxy) rewrite(r *httputil.ProxyRequest) {
	r.Out.URL.Scheme, r.Out.URL.Host = p.upstream.Scheme, p.upstream.Host
	r.Out.URL.RawQuery = r.In.URL.RawQuery // the default rewrites what it cannot parse
	r.Out.Host = ""                        // that of the upstream
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, sent := r.In.Header[name]; sent { // the default removes them
			r.Out.Header[name] = values
		}
	}
}

// errorKey is the context key for the place of an error of the call.
type errorKey struct{}

// noAnswer answers for an authority that did not.
func (p *Proxy) noAnswer(w http.ResponseWriter, r *http.Request, err error) {
	if at, ok := r.Context().Value(errorKey{}).(*error); ok {
		*at = err
	}
	refuse(w, http.StatusBadGateway, "The authority did not answer: "+err.Error())
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": message}) // fails if the client has disconnected
}

// ServeHTTP forwards a call and records it before the end of the response is sent.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rest, ours := strings.CutPrefix(r.URL.Path, p.upstream.Path)
	if !ours || !strings.HasPrefix(rest, "/") || path.Clean(rest) != strings.TrimSuffix(rest, "/") && rest != "/" {
		refuse(w, http.StatusNotFound, "This recorder forwards only paths below "+p.upstream.Path+".")
		return
	}
	if p.Err() != nil {
		refuse(w, http.StatusServiceUnavailable, "The recording cannot be written. Stop the recorder and read its output.")
		return
	}
	p.record(w, r, rest)
}
