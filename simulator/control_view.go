package simulator

import (
	"errors"
	"net/http"

	"khatm/simulator/internal/ca"
	"khatm/simulator/internal/view"
)

// getPage serves the web page.
func (s *Simulator) getPage(w http.ResponseWriter, r *http.Request) error {
	s.page.ServeHTTP(w, r)
	return nil
}

// viewConfig connects the web page to the simulator.
func (s *Simulator) viewConfig() view.Config {
	return view.Config{
		Recent:       s.recent,
		Mood:         s.viewMood,
		SetMood:      s.mood.set,
		Force:        s.mood.mood.Force,
		Reject:       s.rejectNext,
		Set:          s.changeSetting,
		Certificates: s.viewCertificates,
		Now:          s.clock.now,
	}
}

// viewMood returns the mood and the settings. A closed simulator has no
// settings.
func (s *Simulator) viewMood() view.Mood {
	m := view.Mood{Name: s.mood.current(), Forced: s.mood.mood.Forced(), Struck: s.mood.mood.Counts(), Settings: map[string]string{}}
	for _, r := range s.rejections.waiting() {
		m.Rejects = append(m.Rejects, view.Rejection{Codes: r.Codes, Times: r.Times})
	}
	_ = s.withState(func(state *state) error {
		set := state.settings.choices()
		m.Settings = map[string]string{"clearance": set.Clearance, "renewal": set.Renewal, "sandbox": set.Sandbox}
		return nil
	})
	return m
}

// rejectNext forces the rejection of the next documents with one rule.
func (s *Simulator) rejectNext(code string, times int) error {
	return s.rejections.add(rejection{[]string{code}, times})
}

// changeSetting changes one setting and saves it.
func (s *Simulator) changeSetting(name, value string) error {
	var to choices
	at, known := map[string]*string{"clearance": &to.Clearance, "renewal": &to.Renewal, "sandbox": &to.Sandbox}[name]
	if !known {
		return errors.New("setting must be clearance, renewal or sandbox")
	}
	*at = value
	return s.withState(func(state *state) error {
		if err := state.settings.change(to); err != nil {
			return err
		}
		return state.save()
	})
}

// viewCertificates returns the issued certificates, oldest first.
func (s *Simulator) viewCertificates() (list []view.Certificate, err error) {
	err = s.withState(func(state *state) error {
		for _, c := range state.ca.Credentials() {
			shown := view.Certificate{
				Environment: string(c.Environment), Kind: string(c.Kind), RequestID: c.RequestID,
				VATNumber: c.Certificate.VATNumber, Serial: c.Certificate.DeviceSerial, Name: c.Certificate.CommonName,
				NotAfter: c.Certificate.NotAfter, Revoked: c.Revoked, Passed: len(c.Steps),
			}
			if c.Kind == ca.ComplianceCSID {
				shown.Missing = len(missingSteps(c))
			}
			list = append(list, shown)
		}
		return nil
	})
	return list, err
}

// shownRequest returns a request as the web page shows it, without secrets.
func shownRequest(r *http.Request, c *call, sent int) view.Request {
	return view.Request{
		Began: c.began, Environment: string(c.environment), Operation: c.operation(),
		Method: r.Method, Path: view.Path(r), Header: view.Headers(r), Body: c.body, Size: len(c.body),
		Device: c.device(), Number: c.info.number, UUID: c.info.uuid, TypeCode: c.info.typeCode, Standard: c.info.standard,
		Counter: c.info.counter, PreviousHash: c.info.previousHash, Hash: c.info.hash,
		Decided: c.decided, Sent: sent, Outcome: c.outcome, Faults: c.mood, Reasons: c.allReasons(),
	}
}
