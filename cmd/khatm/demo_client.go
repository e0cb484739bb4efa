package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"time"
)

// demoClient calls the API as a program of the company would.
type demoClient struct {
	base string
	http http.Client
}

func newDemoClient(base string) *demoClient {
	return &demoClient{base: base, http: http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{}}} // never by a proxy
}

func (c *demoClient) get(ctx context.Context, key, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, http.NoBody)
	if err != nil {
		return err
	}
	return c.do(request, key, into)
}

// post sends JSON. The name is the sale's, so that it is never made twice.
func (c *demoClient) post(ctx context.Context, key, path, name string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", name)
	return c.do(request, key, into)
}

// form sends JSON as a field of a form, which may hold pictures too.
func (c *demoClient) form(ctx context.Context, key, path, field string, value, into any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField(field, string(text)); err != nil {
		return err
	}
	if err := form.Close(); err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, &body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	return c.do(request, key, into)
}

// do makes a call. What is wanted as bytes is given as it came, all else is
// JSON.
func (c *demoClient) do(request *http.Request, key string, into any) error {
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // it was read
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", request.Method, request.URL.Path, err)
	}
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s was answered %s: %s", request.Method, request.URL.Path, answer.Status, bytes.TrimSpace(text))
	}
	if file, wanted := into.(*[]byte); wanted {
		*file = text
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s %s: %w", request.Method, request.URL.Path, err)
	}
	return nil
}
