package simulator

import (
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"time"

	"khatm/simulator/internal/ca"
)

func (s *Simulator) postPassword(w http.ResponseWriter, r *http.Request) error {
	var o struct {
		VATNumber   string `json:"vat_number"`
		Environment string `json:"environment"`
	}
	if err := decodeControlBody(w, r, &o); err != nil {
		return err
	}
	var made password
	err := s.withState(func(*state) (err error) {
		made, err = s.makePassword(o.Environment, o.VATNumber)
		return err
	})
	var wrong *wrongPassword
	if errors.As(err, &wrong) {
		return badRequest(err)
	}
	if err != nil {
		return err
	}
	reply(w, http.StatusCreated, made)
	return nil
}

func (s *Simulator) getSettings(w http.ResponseWriter, _ *http.Request) error {
	return s.withState(func(state *state) error {
		reply(w, http.StatusOK, state.settings.choices())
		return nil
	})
}

func (s *Simulator) putSettings(w http.ResponseWriter, r *http.Request) error {
	var to choices
	if err := decodeControlBody(w, r, &to); err != nil {
		return err
	}
	return s.withState(func(state *state) error {
		if err := state.settings.change(to); err != nil {
			return badRequest(err)
		}
		if err := state.save(); err != nil {
			return err
		}
		reply(w, http.StatusOK, state.settings.choices())
		return nil
	})
}

// issuedRow is a credential as the control API shows it.
type issuedRow struct {
	Environment  ca.Environment `json:"environment"`
	Kind         ca.Kind        `json:"kind"`
	RequestID    string         `json:"request_id"`
	VATNumber    string         `json:"vat_number"`
	DeviceSerial string         `json:"device_serial"`
	CommonName   string         `json:"common_name"`
	NotAfter     time.Time      `json:"not_after"`
	Revoked      *time.Time     `json:"revoked,omitempty"`
	Steps        []string       `json:"steps,omitempty"`
	Missing      []string       `json:"missing_steps,omitempty"`
}

func rowOf(c ca.Credential) issuedRow {
	row := issuedRow{
		Environment: c.Environment, Kind: c.Kind, RequestID: c.RequestID,
		VATNumber: c.Certificate.VATNumber, DeviceSerial: c.Certificate.DeviceSerial,
		CommonName: c.Certificate.CommonName, NotAfter: c.Certificate.NotAfter, Steps: c.Steps,
	}
	if c.Kind == ca.ComplianceCSID {
		row.Missing = missingSteps(c)
	}
	if !c.Revoked.IsZero() {
		row.Revoked = &c.Revoked
	}
	return row
}

func (s *Simulator) getCredentials(w http.ResponseWriter, _ *http.Request) error {
	return s.withState(func(state *state) error {
		rows := []issuedRow{}
		for _, c := range state.ca.Credentials() {
			rows = append(rows, rowOf(c))
		}
		reply(w, http.StatusOK, rows)
		return nil
	})
}

func (s *Simulator) postRevoke(w http.ResponseWriter, r *http.Request) error {
	var o struct {
		RequestID string `json:"request_id"`
		VATNumber string `json:"vat_number"`
	}
	if err := decodeControlBody(w, r, &o); err != nil {
		return err
	}
	return s.withState(func(state *state) error {
		rows := []issuedRow{}
		for _, c := range state.ca.Credentials() {
			if c.RequestID != o.RequestID && (o.VATNumber == "" || c.Certificate.VATNumber != o.VATNumber) {
				continue
			}
			if err := state.ca.Revoke(c, s.clock.now()); err != nil {
				return err
			}
			c.Revoked = s.clock.now().UTC()
			rows = append(rows, rowOf(c))
		}
		if len(rows) == 0 {
			return &controlError{http.StatusNotFound, errors.New("no issued certificate matches request_id or vat_number")}
		}
		if err := state.save(); err != nil {
			return err
		}
		reply(w, http.StatusOK, rows)
		return nil
	})
}

func (s *Simulator) getIssuers(w http.ResponseWriter, r *http.Request) error {
	e, known := environmentNamed(r.PathValue("environment"))
	if !known {
		return &controlError{http.StatusNotFound, fmt.Errorf("unknown environment %q", r.PathValue("environment"))}
	}
	return s.withState(func(state *state) error {
		w.Header().Set("Content-Type", "application/x-pem-file")
		compliance, production := state.ca.Issuers(e)
		for _, der := range [][]byte{compliance, production} {
			if err := pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: der}); err != nil {
				return nil // the client has disconnected
			}
		}
		return nil
	})
}
