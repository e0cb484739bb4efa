package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// control is the control API of a simulator.
type control struct {
	base string
	http *http.Client
}

// do sends a request to the control API and decodes the response into into, if it
// is not nil.
func (c control) do(ctx context.Context, method, path string, body, into any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return fmt.Errorf("call the control API of the simulator: %w", err)
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.base, "/")+path, bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("call the control API of the simulator: %w", err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("call the control API of the simulator: %w", err)
	}
	defer response.Body.Close() //nolint:errcheck // the body was read
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("call the control API of the simulator: %w", err)
	}
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s of the control API at %s returned %s: %.300s", method, path, c.base, response.Status, answer)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("%s is not the control API of a simulator: %w", c.base, err)
	}
	return nil
}

// freeze stops the clock of the simulator.
func (c control) freeze(ctx context.Context, at time.Time) error {
	return c.do(ctx, http.MethodPut, "/clock", map[string]time.Time{"freeze": at}, nil)
}

// set changes settings.
func (c control) set(ctx context.Context, settings map[string]string) error {
	return c.do(ctx, http.MethodPut, "/settings", settings, nil)
}

// password creates a one-time password.
func (c control) password(ctx context.Context, environment, vatNumber string) (string, error) {
	var made struct {
		OTP string `json:"otp"`
	}
	err := c.do(ctx, http.MethodPost, "/otps", map[string]string{"environment": environment, "vat_number": vatNumber}, &made)
	return made.OTP, err
}

// memory is what a replay changes in a simulator and restores at its end.
type memory struct {
	settings map[string]string
	clock    struct {
		Now    time.Time `json:"now"`
		Offset string    `json:"offset"`
		Frozen bool      `json:"frozen"`
	}
}

func (c control) remember(ctx context.Context) (m memory, err error) {
	if err := c.do(ctx, http.MethodGet, "/settings", nil, &m.settings); err != nil {
		return m, err
	}
	if m.settings["certificates"] == "" {
		return m, fmt.Errorf("%s is not the control API of a simulator that can replay", c.base)
	}
	return m, c.do(ctx, http.MethodGet, "/clock", nil, &m.clock)
}

func (c control) restore(ctx context.Context, m memory) error {
	if err := c.set(ctx, m.settings); err != nil {
		return err
	}
	if m.clock.Frozen {
		return c.freeze(ctx, m.clock.Now)
	}
	return c.do(ctx, http.MethodPut, "/clock", map[string]string{"offset": m.clock.Offset}, nil)
}

// mood is the mood of a simulator.
type mood struct {
	Name string          `json:"name"` // "" for a plan
	Plan json.RawMessage `json:"plan"`
}

// politely calls work while the simulator is polite.
func (c control) politely(ctx context.Context, work func() error) (err error) {
	var now mood
	if err := c.do(ctx, http.MethodGet, "/mood", nil, &now); err != nil {
		return err
	}
	if now.Name == "polite" {
		return work()
	}
	if err := c.do(ctx, http.MethodPut, "/mood", map[string]string{"name": "polite"}, nil); err != nil {
		return err
	}
	var back any = now.Plan
	if now.Name != "" {
		back = map[string]string{"name": now.Name}
	}
	defer func() { // even after a signal has ended ctx
		err = errors.Join(err, c.do(context.WithoutCancel(ctx), http.MethodPut, "/mood", back, nil))
	}()
	return work()
}
