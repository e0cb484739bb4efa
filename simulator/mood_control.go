package simulator

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"khatm/simulator/internal/mood"
)

// nod is the mood that accepts documents without validation and injects no
// faults.
const nod = "nod"

// moodControl holds the current mood and its name.
type moodControl struct {
	mood *mood.Mood

	mu    sync.Mutex
	first string // initial mood, restored by reset
	name  string // "" for a custom plan
	nod   bool

	// referred is set once a document was referred from clearance to reporting.
	// From then on reporting accepts standard documents, until a reset.
	referred atomic.Bool
}

func newMoodControl(text string, seed uint64, now func() time.Time) (*moodControl, error) {
	if text == "" {
		text = "polite"
	}
	t := &moodControl{first: text}
	plan, err := mood.Parse(text)
	if err != nil {
		return nil, err
	}
	t.mood, err = mood.New(mood.Config{Seed: seed, Plan: plan, Now: now, Observe: t.observe})
	if err != nil {
		return nil, err
	}
	return t, t.set(text)
}

// observe stores the applied faults in the call. Most are known before the
// operation runs, some only afterwards.
func (t *moodControl) observe(e mood.Event) {
	if slices.Contains(strings.Split(e.Applied, ","), "clearance_off") {
		t.referred.Store(true)
	}
	if c := callOf(e.Request); c != nil {
		c.mood = e.Applied
	}
}

// set changes the mood. text is the name of a mood, or a plan in JSON.
func (t *moodControl) set(text string) error {
	plan, err := mood.Parse(text)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.mood.SetPlan(plan); err != nil {
		return err
	}
	t.name, t.nod = "", false
	var base struct{ Base string }
	if name := strings.TrimSpace(text); !strings.HasPrefix(name, "{") {
		t.name, t.nod = name, name == nod
	} else if json.Unmarshal([]byte(text), &base) == nil {
		t.nod = base.Base == nod
	}
	return nil
}

// current returns the name of the mood, or "" for a custom plan.
func (t *moodControl) current() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.name
}

func (t *moodControl) nods() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.nod
}

// reset restores the initial mood.
func (t *moodControl) reset() error {
	t.mood.Reset()
	t.referred.Store(false)
	return t.set(t.first)
}

func (t *moodControl) wrap(next http.Handler) http.Handler { return t.mood.Wrap(next) }

// applied returns the names of the faults chosen for a request.
func (t *moodControl) applied(r *http.Request) string { return mood.Applied(r.Context()) }

// state returns the mood for the control API.
func (t *moodControl) state() any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return struct {
		Name   string            `json:"name,omitempty"`
		Nod    bool              `json:"nod"` // documents are accepted without validation
		Plan   mood.Plan         `json:"plan"`
		Forced map[string]int    `json:"forced"` // forced faults not yet applied
		Struck map[string]uint64 `json:"struck"` // faults applied so far
	}{t.name, t.nod, t.mood.Plan(), t.mood.Forced(), t.mood.Counts()}
}
