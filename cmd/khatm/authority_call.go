package main

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

// moodNow is the current mood of a simulator, as its control API returns it.
type moodNow struct {
	Name   string                     `json:"name"` // empty for a custom plan
	Plan   map[string]json.RawMessage `json:"plan"`
	Struck map[string]uint64          `json:"struck"` // how often each fault was applied
}

func (a simulatorAddress) mood(ctx context.Context) (now moodNow, err error) {
	err = a.control(ctx, http.MethodGet, "/mood", "", &now)
	if err == nil && now.Plan == nil {
		err = fmt.Errorf("%s is not the control API of a simulator", a.Control)
	}
	return now, err
}

// setMood changes the mood of the simulator to a named mood or a plan in JSON.
func (a simulatorAddress) setMood(ctx context.Context, text string) (now moodNow, err error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		named, err := json.Marshal(map[string]string{"name": text})
		if err != nil {
			return now, err
		}
		text = string(named)
	}
	err = a.control(ctx, http.MethodPut, "/mood", text, &now)
	return now, err
}

// password requests a one-time password from the simulator. For the real
// authority, a taxpayer creates one in its portal.
func (a simulatorAddress) password(ctx context.Context, vatNumber string) (string, error) {
	wanted, err := json.Marshal(map[string]string{"vat_number": vatNumber, "environment": "simulation"})
	if err != nil {
		return "", err
	}
	var made struct {
		OTP string `json:"otp"`
	}
	err = a.control(ctx, http.MethodPost, "/otps", string(wanted), &made)
	return made.OTP, err
}

// control sends a request to the control API and decodes the response.
func (a simulatorAddress) control(ctx context.Context, method, path, body string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(a.Control, "/")+path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("call the simulator: %w", err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without a proxy
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("call the simulator: %w", err)
	}
	defer answer.Body.Close() //nolint:errcheck // the body was read
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("call the simulator: %w", err)
	}
	var refused struct {
		Error string `json:"error"`
	}
	if answer.StatusCode/100 != 2 {
		if json.Unmarshal(text, &refused) == nil && refused.Error != "" {
			return errors.New(refused.Error)
		}
		return fmt.Errorf("%s is not the control API of a simulator: it returned %s", a.Control, answer.Status)
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(into); err != nil {
		return fmt.Errorf("%s is not the control API of a simulator: %w", a.Control, err)
	}
	return nil
}
