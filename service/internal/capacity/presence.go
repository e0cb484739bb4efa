package capacity

import (
	"sync"
	"time"
)

// absence is how long a subject must not have called until another one is alone.
const absence = 10 * time.Second

// presence knows the two subjects that called last. While a subject is alone, it
// need not leave a core to others.
type presence struct {
	mu    sync.Mutex
	newer sighting
	older sighting // of another subject
}

type sighting struct {
	subject string
	at      time.Time
}

// see records a call.
func (p *presence) see(subject string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.newer.subject != subject {
		p.newer, p.older = sighting{subject: subject}, p.newer
	}
	p.newer.at = time.Now()
}

// alone reports whether no other subject has called recently.
func (p *presence) alone(subject string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	other := p.newer
	if other.subject == subject {
		other = p.older
	}
	return other.subject == "" || time.Since(other.at) > absence
}
