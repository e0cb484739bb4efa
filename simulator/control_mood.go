package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

func (s *Simulator) getMood(w http.ResponseWriter, _ *http.Request) error {
	reply(w, http.StatusOK, s.mood.state())
	return nil
}

func (s *Simulator) putMood(w http.ResponseWriter, r *http.Request) error {
	body, err := readControlBody(w, r)
	if err != nil {
		return err
	}
	text := string(body)
	var named map[string]json.RawMessage
	if json.Unmarshal(body, &named) == nil && len(named) == 1 && named["name"] != nil {
		if err := json.Unmarshal(named["name"], &text); err != nil {
			return badRequest(fmt.Errorf("name must be a string: %w", err))
		}
	}
	if err := s.mood.set(text); err != nil {
		return badRequest(err)
	}
	return s.getMood(w, r)
}

func (s *Simulator) forceFault(w http.ResponseWriter, r *http.Request) error {
	var o struct {
		Knob  string `json:"knob"`
		Times int    `json:"times"`
	}
	if err := decodeControlBody(w, r, &o); err != nil {
		return err
	}
	if err := s.mood.mood.Force(o.Knob, o.Times); err != nil {
		return badRequest(err)
	}
	return s.getMood(w, r)
}

func (s *Simulator) getClock(w http.ResponseWriter, _ *http.Request) error {
	reply(w, http.StatusOK, s.clock.reading())
	return nil
}

func (s *Simulator) putClock(w http.ResponseWriter, r *http.Request) error {
	var o struct {
		Step, Offset string
		Freeze       *time.Time
	}
	if err := decodeControlBody(w, r, &o); err != nil {
		return err
	}
	switch {
	case o.Freeze != nil && o.Step == "" && o.Offset == "":
		s.clock.freeze(*o.Freeze)
	case o.Step != "" && o.Offset == "" && o.Freeze == nil:
		by, err := time.ParseDuration(o.Step)
		if err != nil {
			return badRequest(err)
		}
		s.clock.step(by)
	case o.Offset != "" && o.Step == "" && o.Freeze == nil:
		to, err := time.ParseDuration(o.Offset)
		if err != nil {
			return badRequest(err)
		}
		s.clock.set(to)
	default:
		return badRequest(errors.New("exactly one of step, offset and freeze is required"))
	}
	return s.getClock(w, r)
}
