package simulator

import (
	"encoding/json"
	"errors"
	"net/http"

	"khatm/simulator/internal/journal"
)

// getJournal streams the records written so far. It does not hold the lock
// while it does so; a reset truncates the stream.
func (s *Simulator) getJournal(w http.ResponseWriter, _ *http.Request) error {
	var kept *journal.Journal
	if err := s.withState(func(state *state) error { kept = state.journal; return nil }); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for r, err := range kept.All() {
		if err != nil {
			panic(http.ErrAbortHandler) // so that the client notices the truncation
		}
		if err := encoder.Encode(r); err != nil {
			return nil // the client has disconnected
		}
	}
	return nil
}

// getChain audits the chains of cleared and reported documents. Documents of
// compliance checks are not part of a chain.
func (s *Simulator) getChain(w http.ResponseWriter, _ *http.Request) error {
	var kept *journal.Journal
	if err := s.withState(func(state *state) error { kept = state.journal; return nil }); err != nil {
		return err
	}
	report, err := kept.Audit(func(r journal.Record) bool {
		return r.Endpoint == clearancePath || r.Endpoint == reportingPath
	})
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, report)
	return nil
}

func (s *Simulator) getCounts(w http.ResponseWriter, _ *http.Request) error {
	reply(w, http.StatusOK, s.counts.all())
	return nil
}

// postReset waits for running requests and resets the simulator to its initial
// state.
func (s *Simulator) postReset(w http.ResponseWriter, _ *http.Request) error {
	if err := s.reset(); err != nil {
		return err
	}
	reply(w, http.StatusOK, map[string]string{"reset": "done"})
	return nil
}

func (s *Simulator) reset() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == nil {
		return errClosed
	}
	s.clock.set(0)
	s.counts.reset()
	s.recent.Clear()
	s.rejections.clear()
	err := errors.Join(s.mood.reset(), s.state.remove())
	s.state = nil
	if err != nil {
		return err
	}
	s.state, err = openState(s.cfg, s.clock.now)
	return err
}
