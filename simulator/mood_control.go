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

// nod is the mood that accepts documents unjudged. Its manners are polite.
const nod = "nod"

// moodControl is the mood in force, under the name it was given.
type moodControl struct {
	mood *mood.Mood

	mu    sync.Mutex
	first string // what it was made with, for a reset
	name  string // "" for a plan of one's own
	nod   bool

	// told: some document was sent from clearance to reporting, which from then
	// on takes standard ones, until a reset.
	told atomic.Bool
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
	t.mood, err = mood.New(mood.Config{Seed: seed, Plan: plan, Now: now, Observe: t.struck})
	if err != nil {
		return nil, err
	}
	return t, t.set(text)
}

// struck notes a fault on the call it struck; most were known before the
// operation ran, some show only afterwards.
func (t *moodControl) struck(e mood.Event) {
	if slices.Contains(strings.Split(e.Applied, ","), "clearance_off") {
		t.told.Store(true)
	}
	if c := callOf(e.Request); c != nil {
		c.mood = e.Applied
	}
}

// set puts a mood in force: a name, or a plan in JSON.
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

func (t *moodControl) nods() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.nod
}

// reset goes back to the mood of the start.
func (t *moodControl) reset() error {
	t.mood.Reset()
	t.told.Store(false)
	return t.set(t.first)
}

func (t *moodControl) wrap(next http.Handler) http.Handler { return t.mood.Wrap(next) }

// applied names the faults that a request is to suffer.
func (t *moodControl) applied(r *http.Request) string { return mood.Applied(r.Context()) }

// state is the mood as the control API shows it.
func (t *moodControl) state() any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return struct {
		Name   string            `json:"name,omitempty"`
		Nod    bool              `json:"nod"` // documents are accepted unjudged
		Plan   mood.Plan         `json:"plan"`
		Forced map[string]int    `json:"forced"` // strikes to come
		Struck map[string]uint64 `json:"struck"` // so far
	}{t.name, t.nod, t.mood.Plan(), t.mood.Forced(), t.mood.Counts()}
}
