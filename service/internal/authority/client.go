package authority

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config configures a Client.
type Config struct {
	URL     string           // base URL: https, or http on a loopback address
	Timeout time.Duration    // of a whole call; 0 means 60 seconds
	TLS     *tls.Config      // nil uses the system's root certificates
	Now     func() time.Time // used to measure calls and to read a Retry-After date

	// Dated is called with the Date header of each response and the boot time
	// halfway between the request and the response. It may be nil.
	Dated func(date time.Time, at time.Duration)
	Boot  func() time.Duration // may be nil if Dated is
}

// Limits of a call. At times the authority keeps connections open for minutes.
const (
	timeout     = 60 * time.Second
	connections = 64
	mostBytes   = 8 << 20
)

// Client calls the authority at one base URL. It is safe for concurrent use; all
// calls share a limited number of connections.
type Client struct {
	base string
	http *http.Client
	now  func() time.Time

	dated func(date time.Time, at time.Duration)
	boot  func() time.Duration
}

// New returns a Client.
func New(c Config) (*Client, error) {
	base, err := checkURL(c.URL)
	if err != nil {
		return nil, err
	}
	if c.Now == nil {
		return nil, errors.New("authority client: Config.Now is nil")
	}
	if c.Timeout == 0 {
		c.Timeout = timeout
	}
	if c.Dated == nil {
		c.Dated, c.Boot = func(time.Time, time.Duration) {}, func() time.Duration { return 0 }
	}
	return &Client{base: base, now: c.Now, dated: c.Dated, boot: c.Boot, http: &http.Client{
		Transport: transport(c),
		Timeout:   c.Timeout,
		// The status of a redirect is the answer. Following it would turn the
		// POST into a GET, and send the document to any host that the answer
		// names.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func transport(c Config) *http.Transport {
	trust := &tls.Config{}
	if c.TLS != nil {
		trust = c.TLS.Clone()
	}
	trust.MinVersion = max(trust.MinVersion, tls.VersionTLS12)
	// HTTP/1 only: with HTTP/2, one stalled answer could block the other
	// documents on the connection.
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        trust,
		TLSHandshakeTimeout:    10 * time.Second,
		Protocols:              &protocols,
		MaxConnsPerHost:        connections,
		MaxIdleConnsPerHost:    connections,
		IdleConnTimeout:        50 * time.Second,
		ResponseHeaderTimeout:  c.Timeout,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// checkURL refuses a URL over which credentials would not be safe.
func checkURL(text string) (string, error) {
	at, err := url.Parse(text)
	switch {
	case err != nil || at.Host == "" || at.Hostname() == "":
		return "", fmt.Errorf("the authority's URL %q is invalid; it must look like https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation", text)
	case at.User != nil || at.RawQuery != "" || at.Fragment != "":
		return "", errors.New("the authority's URL may have a path, but no user, query or fragment")
	case at.Scheme == "https", at.Scheme == "http" && isLoopback(at.Hostname()):
		return strings.TrimRight(at.String(), "/"), nil
	}
	return "", fmt.Errorf("the authority's URL %s is not safe: it must begin with https://, or with http:// on a loopback address such as 127.0.0.1", at.Redacted())
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Base returns the base URL of the client.
func (c *Client) Base() string { return c.base }
