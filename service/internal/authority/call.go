package authority

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"khatm/service/internal/device"
)

// call is one request to the authority.
type call struct {
	method, path string
	as           device.Credentials // zero for none
	otp          device.Secret
	clearance    string // value of the Clearance-Status header; empty for none
	body         any
}

// answer is an unparsed response. If there was none, cause says why.
type answer struct {
	status int
	body   []byte
	wait   time.Duration
	took   time.Duration
	sent   bool
	cause  error
}

// version is the protocol version, in upper case: the authority sometimes
// refuses other spellings.
const version = "V2"

// do makes one call. It returns failures as an answer too, because the next step
// depends on whether the request may have arrived.
func (c *Client) do(ctx context.Context, one call) answer {
	begun := c.now()
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	})
	a, err := c.exchange(ctx, one)
	a.took, a.sent = c.now().Sub(begun), sent.Load()
	if err != nil {
		a.status, a.body, a.cause = 0, nil, err
	}
	return a
}

func (c *Client) exchange(ctx context.Context, one call) (answer, error) {
	request, err := c.request(ctx, one)
	if err != nil {
		return answer{}, err
	}
	response, err := c.send(request)
	if err != nil {
		return answer{}, inWords(err)
	}
	defer response.Body.Close() //nolint:errcheck // read as far as needed
	body, err := io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
	switch {
	case err != nil:
		return answer{}, inWords(fmt.Errorf("read the answer: %w", err))
	case len(body) > mostBytes:
		return answer{}, errors.New("the answer is longer than 8 MiB")
	}
	return answer{status: response.StatusCode, body: body, wait: c.retryAfter(response.Header.Get("Retry-After"))}, nil
}

// send makes a request and reports the Date header of the response to c.dated. A
// response from a cache is ignored, because its date is that of the cache entry.
func (c *Client) send(request *http.Request) (*http.Response, error) {
	sent := c.boot()
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	date, bad := http.ParseTime(response.Header.Get("Date"))
	if bad == nil && response.Header.Get("Age") == "" {
		const middle = time.Second / 2 // Date is truncated to the second
		c.dated(date.Add(middle), (sent+c.boot())/2)
	}
	return response, nil
}

func (c *Client) request(ctx context.Context, one call) (*http.Request, error) {
	body, err := json.Marshal(one.body)
	if err != nil {
		return nil, fmt.Errorf("encode the request body: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, one.method, c.base+one.path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("create the request: %w", err)
	}
	for name, value := range map[string]string{
		"Accept":           "application/json",
		"Accept-Language":  "en",
		"Accept-Version":   version,
		"Content-Type":     "application/json",
		"Clearance-Status": one.clearance,
		"OTP":              one.otp.Reveal(),
	} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	if one.as.Token != "" {
		// The token is already base64 and must not be encoded again.
		request.SetBasicAuth(one.as.Token, one.as.Secret.Reveal())
	}
	return request, nil
}

// inWords removes the method and URL that net/http adds to err, and names a
// timeout as such.
func inWords(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		if outer.Timeout() {
			return fmt.Errorf("no answer in time: %w", outer.Err)
		}
		return outer.Err
	}
	return err
}

// mostWait limits the delay that a Retry-After header can request.
const mostWait = 10 * time.Minute

// retryAfter parses a Retry-After header: seconds or a date.
func (c *Client) retryAfter(text string) time.Duration {
	if text == "" {
		return 0
	}
	wait := time.Duration(0)
	if seconds, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
		wait = time.Duration(min(max(seconds, 0), int64(mostWait/time.Second))) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		wait = at.Sub(c.now())
	}
	return min(max(wait, 0), mostWait)
}
