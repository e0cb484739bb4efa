package authority

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Answer is what a request to the authority without credentials brought.
type Answer struct {
	Status int
	Date   time.Time     // by the authority's clock, to the second; zero if it does not say
	Took   time.Duration // there and back
}

// Behind is how far a clock that showed sent when the request left is behind
// the authority's. It is right to about a second, which is what Date counts in.
func (a Answer) Behind(sent time.Time) time.Duration {
	const middle = time.Second / 2 // of the second that Date was cut to
	return a.Date.Add(middle).Sub(sent.Add(a.Took / 2))
}

// Probe knocks. Any answer, a refusal too, shows that the way is open: without
// credentials there is nothing that the authority would serve.
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
	defer response.Body.Close() //nolint:errcheck // the answer is its head
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

// AskTime makes a request without credentials, for the Date header of its
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
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10) // so that the connection is used again
	return response.Body.Close()
}
