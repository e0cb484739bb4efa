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

// moodNow is the mood of a simulator as its control API shows it.
type moodNow struct {
	Name   string                     `json:"name"` // empty for a plan of one's own
	Plan   map[string]json.RawMessage `json:"plan"`
	Struck map[string]uint64          `json:"struck"`
}

func (a simulatorAddress) mood(ctx context.Context) (now moodNow, err error) {
	err = a.order(ctx, http.MethodGet, "/mood", "", &now)
	if err == nil && now.Plan == nil {
		err = fmt.Errorf("at %s is something else than the control API of the simulator", a.Control)
	}
	return now, err
}

// setMood gives the simulator another mood: a name, or a plan in JSON.
func (a simulatorAddress) setMood(ctx context.Context, text string) (now moodNow, err error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		named, err := json.Marshal(map[string]string{"name": text})
		if err != nil {
			return now, err
		}
		text = string(named)
	}
	err = a.order(ctx, http.MethodPut, "/mood", text, &now)
	return now, err
}

// password makes a one-time password, as a taxpayer does in the portal of the
// real authority.
func (a simulatorAddress) password(ctx context.Context, vatNumber string) (string, error) {
	wanted, err := json.Marshal(map[string]string{"vat_number": vatNumber, "environment": "simulation"})
	if err != nil {
		return "", err
	}
	var made struct {
		OTP string `json:"otp"`
	}
	err = a.order(ctx, http.MethodPost, "/otps", string(wanted), &made)
	return made.OTP, err
}

// order gives the simulator an order and reads its answer.
func (a simulatorAddress) order(ctx context.Context, method, path, body string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(a.Control, "/")+path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("call the simulator: %w", err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // never by a proxy
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("call the simulator: %w", err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was read
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
		return fmt.Errorf("at %s is something else than the control API of the simulator: it answered %s", a.Control, answer.Status)
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(into); err != nil {
		return fmt.Errorf("at %s is something else than the control API of the simulator: %w", a.Control, err)
	}
	return nil
}
