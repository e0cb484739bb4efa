// Package traces sends spans to an OpenTelemetry collector over OTLP/HTTP, encoded as
// protocol buffers. The exporter of OpenTelemetry does the same, but adds 2 MB of gRPC
// and generated code to the program.
package traces

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

const (
	defaultPath    = "/v1/traces"
	defaultTimeout = 10 * time.Second       // for one request
	firstPause     = 500 * time.Millisecond // before a request is sent again; each further pause is twice as long
	longestPause   = 10 * time.Second
	mostAnswer     = 64 << 10 // bytes of a response that are read
)

// Sender is a [sdk.SpanExporter].
type Sender struct {
	url     string
	client  *http.Client
	header  http.Header
	zip     bool
	stopped context.Context // of the whole Sender; ended by Shutdown
	stop    context.CancelFunc
}

// New returns a Sender to the collector at endpoint, a URL. Without a path, the path is
// /v1/traces. getenv returns environment variables: like the exporter of OpenTelemetry,
// New reads OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT, _COMPRESSION, _CERTIFICATE,
// _CLIENT_CERTIFICATE and _CLIENT_KEY, and OTEL_EXPORTER_OTLP_TRACES_HEADERS and so on,
// which take precedence.
func New(endpoint string, getenv func(string) string) (*Sender, error) {
	u, err := url.Parse(endpoint)
	switch {
	case err != nil:
		return nil, fmt.Errorf("endpoint: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("endpoint %q: want a URL such as http://127.0.0.1:4318", u.Redacted())
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = defaultPath
	}
	env := func(name string) string {
		return cmp.Or(getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), getenv("OTEL_EXPORTER_OTLP_"+name))
	}
	header, err := parseHeaders(env("HEADERS"))
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS: %w", err)
	}
	s := &Sender{url: u.String(), header: header}
	timeout := defaultTimeout
	if text := env("TIMEOUT"); text != "" {
		ms, err := strconv.Atoi(text)
		if err != nil || ms <= 0 {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT is %q; set it to a number of milliseconds, such as 10000", text)
		}
		timeout = time.Duration(ms) * time.Millisecond
	}
	switch text := env("COMPRESSION"); text {
	case "", "none":
	case "gzip":
		s.zip = true
	default:
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_COMPRESSION is %q; set it to gzip or none", text)
	}
	secure, err := tlsConfig(env)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: secure, ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute}
	s.client = &http.Client{Transport: transport, Timeout: timeout}
	s.stopped, s.stop = context.WithCancel(context.Background())
	return s, nil
}

// parseHeaders parses headers in the form name=value,name=value, whose values are
// encoded as in URLs.
func parseHeaders(text string) (http.Header, error) {
	header := http.Header{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		if !found {
			return nil, errors.New("want name=value, separated by commas") // the text may be a secret
		}
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if err != nil {
			return nil, errors.New("a value is not encoded as in URLs")
		}
		header.Set(strings.TrimSpace(name), value)
	}
	return header, nil
}

func tlsConfig(env func(string) string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if file := env("CERTIFICATE"); file != "" {
		text, err := os.ReadFile(file) //nolint:gosec // the operator's file
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %s contains no certificate", file)
		}
	}
	if file := env("CLIENT_CERTIFICATE"); file != "" {
		pair, err := tls.LoadX509KeyPair(file, env("CLIENT_KEY"))
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// ExportSpans sends spans, and sends them again after a failure that may pass, until
// ctx ends.
func (s *Sender) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.stopped, cancel)()
	body := encode(spans)
	if s.zip {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		if _, err := w.Write(body); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		body = zipped.Bytes()
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		wait, err := s.send(ctx, body)
		if err == nil || wait < 0 {
			return err
		}
		timer := time.NewTimer(max(wait, pause))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("send %d spans: %w", len(spans), err)
		}
	}
}

// send sends a request. If it fails, wait is how long the collector asks to wait before
// the next one, or negative if another one would fail too.
func (s *Sender) send(ctx context.Context, body []byte) (wait time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	request.Header = s.header.Clone()
	request.Header.Set("Content-Type", "application/x-protobuf")
	request.Header.Set("User-Agent", "khatm")
	if s.zip {
		request.Header.Set("Content-Encoding", "gzip")
	}
	response, err := s.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close() //nolint:errcheck // nothing depends on it
	answer, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	switch {
	case response.StatusCode/100 == 2:
		return 0, nil
	case err != nil:
		return 0, err
	}
	err = fmt.Errorf("the collector answered %s: %.200q", response.Status, answer)
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return time.Duration(max(0, seconds)) * time.Second, err
	}
	return -1, err
}

// Shutdown ends the requests that are being sent.
func (s *Sender) Shutdown(context.Context) error {
	s.stop()
	s.client.CloseIdleConnections()
	return nil
}
