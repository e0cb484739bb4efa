package authority

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Answer is the response to a request without credentials.
type Answer struct {
	Status int
	Date   time.Time     // by the authority's clock, to the second; zero if missing
	Took   time.Duration // round-trip time
}

// Behind returns how far the local clock is behind the authority's. sent is the
// local time when the request was sent. The result is accurate to about a
// second, the resolution of the Date header.
func (a Answer) Behind(sent time.Time) time.Duration {
	const middle = time.Second / 2 // Date is truncated to the second
	return a.Date.Add(middle).Sub(sent.Add(a.Took / 2))
}

// Probe checks whether the authority can be reached, with a request without
// credentials. Any response counts, including an error status.
func Probe(ctx context.Context, client *http.Client, base string, now func() time.Time) (Answer, error) {
	request, err := knock(ctx, base)
	if err != nil {
		return Answer{}, err
	}
	sent := now()
	response, err := client.Do(request)
	if err != nil {
		return Answer{}, fmt.Errorf("reach the authority: %w", err)
	}
	defer response.Body.Close() //nolint:errcheck // only the header is used
	a := Answer{Status: response.StatusCode, Took: now().Sub(sent)}
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10)
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		a.Date = date
	}
	return a, nil
}

func knock(ctx context.Context, base string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("reach the authority: %w", err)
	}
	request.Header.Set("Accept-Version", version)
	request.Header.Set("Cache-Control", "no-cache")
	return request, nil
}

// AskTime makes a request without credentials, to get the Date header of the
// response.
func (c *Client) AskTime(ctx context.Context) error {
	request, err := knock(ctx, c.base)
	if err != nil {
		return err
	}
	response, err := c.send(request)
	if err != nil {
		return fmt.Errorf("ask the authority for the time: %w", inWords(err))
	}
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10) // so that the connection can be reused
	return response.Body.Close()
}
