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

// demoClient calls the API over HTTP, as a program of the company would.
type demoClient struct {
	base string
	http http.Client
}

func newDemoClient(base string) *demoClient {
	return &demoClient{base: base, http: http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{}}} // without a proxy
}

func (c *demoClient) get(ctx context.Context, key, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, http.NoBody)
	if err != nil {
		return err
	}
	return c.do(request, key, into)
}

// post sends JSON with an idempotency key, so that a retry creates nothing twice.
func (c *demoClient) post(ctx context.Context, key, path, idempotencyKey string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", idempotencyKey)
	return c.do(request, key, into)
}

// form sends JSON as a field of a multipart form, as endpoints that also accept
// pictures expect it.
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

// do sends a request. If into is a *[]byte it receives the body unchanged,
// otherwise the body is decoded as JSON.
func (c *demoClient) do(request *http.Request, key string, into any) error {
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // the body was read
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", request.Method, request.URL.Path, err)
	}
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s returned %s: %s", request.Method, request.URL.Path, answer.Status, bytes.TrimSpace(text))
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
