package continuity

import (
	"context"
	"errors"
	"fmt"
)

// Replication is the synchronous replication of a PostgreSQL server.
type Replication struct {
	System   string `json:"system"`   // system identifier of the server
	Timeline string `json:"timeline"` // timeline on which the replication was in force
	Standbys string `json:"standbys"` // synchronous_standby_names
	Commit   string `json:"commit"`   // synchronous_commit
}

// InForce reports whether a commit waits until a standby has it on disk.
func (r Replication) InForce() bool {
	return r.Standbys != "" && (r.Commit == "on" || r.Commit == "remote_apply")
}

// Proof says whether a database server that replaced another one has every document.
type Proof struct {
	Complete bool
	Why      string // for the operator
}

// proven is the proof for a database server.
type proven struct {
	Proof
	at int64    // Keeper.Reconnections
	of Identity // of the server
}

// errUnproven means that Config.Prove must be called.
var errUnproven = errors.New("the database server was restored, replaced or promoted; whether it is complete is being determined")

// Distrust returns why a promoted server may lack documents, although it was a
// synchronous standby, or "".
func (f Facts) Distrust() string {
	before, now, r := f.State.Identity, f.Identity, f.State.Replication
	var marked *Identity
	if f.Marks != nil {
		marked = f.Marks.Identity
	}
	switch {
	case now.System == "" || now.Timeline == "" || !followed(before, now) || !followed(marked, now):
		return "the database server is not a standby of the one that was used before"
	case r == nil || !r.InForce() || r.System != now.System:
		return "synchronous replication was not in force before the promotion"
	case (before == nil || r.Timeline != before.Timeline) && (marked == nil || r.Timeline != marked.Timeline):
		return "synchronous replication was not in force when the last document was issued"
	}
	return ""
}

// followed reports whether a server can be a promoted standby of another one, or
// that server itself.
func followed(before *Identity, now Identity) bool {
	return before == nil || before.System == now.System && before.Database == now.Database && before.Table == now.Table && before.Timeline <= now.Timeline
}

// settle replaces the reason for a stop by the proof that nothing is missing, if that
// is the only reason. It returns errUnproven if there is no proof yet.
func (g *Guard) settle(f *Facts, at int64, reason string) (string, error) {
	without := *f
	without.Proven = true
	if reason == "" || f.State.Stopped() || g.Prove == nil || without.Judge() != "" {
		return reason, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.proof
	switch {
	case p == nil || p.at != at || p.of != f.Identity:
		g.unproven = &unproven{*f, at}
		return "", errUnproven
	case p.Complete:
		f.Proven = true
		g.Log.Warn("the database server was restored, replaced or promoted, and nothing is missing; issuing continues", "because", p.Why)
		return "", nil
	case p.Why != "":
		reason = fmt.Sprintf("%s; %s", reason, p.Why)
	}
	return reason, nil
}

// unproven are facts for which a proof is necessary.
type unproven struct {
	Facts
	at int64
}

// prove calls Config.Prove. Requests do not wait for it.
func (g *Guard) prove(ctx context.Context) error {
	g.mu.Lock()
	u := g.unproven
	g.mu.Unlock()
	if u == nil {
		return nil
	}
	p, err := g.Prove(ctx, u.Facts)
	if err != nil {
		return fmt.Errorf("determine whether the database is complete: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.proof, g.unproven = &proven{p, u.at, u.Identity}, nil
	return nil
}
