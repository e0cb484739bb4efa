package server

import (
	"context"
	"errors"
	"fmt"

	"khatm/service/internal/archive"
	"khatm/service/internal/continuity"
	"khatm/service/internal/ready"
	"khatm/service/internal/recovery"
)

// prover returns the function that determines whether a PostgreSQL server that was
// restored, replaced or promoted has every acknowledged document. It returns nil if
// this cannot be known.
func (s *Server) prover() func(context.Context, continuity.Facts) (continuity.Proof, error) {
	switch {
	case s.config.Database == "":
		return nil
	case s.archive != nil && s.config.Archive.Wait:
		return s.proveByArchive
	case s.config.TrustFailover:
		return s.proveByReplication
	}
	return nil
}

// proveByArchive compares the database with the archive. Every acknowledged document is
// in it.
func (s *Server) proveByArchive(ctx context.Context, _ continuity.Facts) (p continuity.Proof, err error) {
	location, err := recovery.Location(s.config.Archive.Location)
	if err != nil {
		return p, err
	}
	installation, err := s.store.Installation(ctx)
	if err != nil {
		return p, err
	}
	read, err := archive.Open(ctx, archive.Options{
		Location: s.config.Archive.Location, Server: failoverName(s.archiveName()), Installation: installation.String(), Now: s.config.Now, Random: s.config.Random,
	})
	if err != nil {
		return p, err
	}
	defer func() { _ = read.Close() }()
	err = s.store.CompareArchive(func() error {
		_, err := recovery.Connect(ctx, recovery.Options{Store: s.store, Archive: read, Location: location, Compare: true, Now: s.config.Now, Log: s.config.Log})
		return err
	})
	switch {
	case errors.Is(err, recovery.ErrLacking):
		return continuity.Proof{Why: "the archive has documents that the database lacks: stop all servers, then run khatm recover --archive with --take-over"}, nil
	case err != nil:
		return p, fmt.Errorf("compare the database with its archive: %w", err)
	}
	complete, err := recovery.Proven(ctx, read)
	switch {
	case err != nil:
		return p, fmt.Errorf("compare the database with its archive: %w", err)
	case !complete:
		return continuity.Proof{Why: "the archive does not prove that it has every document, because not all have waited for it"}, nil
	}
	return continuity.Proof{Complete: true, Why: "the database has everything that is in its archive"}, nil
}

// failoverName returns the name under which a server compares the database with the
// archive.
func failoverName(server string) string { return server[:min(len(server), 55)] + ".failover" }

// proveByReplication relies on the synchronous replication of the former server.
func (s *Server) proveByReplication(ctx context.Context, f continuity.Facts) (p continuity.Proof, err error) {
	now, err := s.store.Replication(ctx)
	if err != nil {
		return p, err
	}
	why := f.Distrust()
	if why == "" && now.Target != "" {
		why = "the database server was restored to an earlier position"
	}
	if why != "" {
		return continuity.Proof{Why: "--trust-failover is refused: " + why}, nil
	}
	return continuity.Proof{Complete: true, Why: "it was a synchronous standby, with synchronous_standby_names " + f.State.Replication.Standbys}, nil
}

// watchReplication records whether PostgreSQL replicates synchronously, so that a
// standby that is promoted has the record. With TrustFailover it stops issuing if
// PostgreSQL does not.
func (s *Server) watchReplication(ctx context.Context) error {
	if s.config.Database == "" {
		return nil
	}
	identity, err := s.store.Identity(ctx)
	if err != nil {
		return err
	}
	found, err := s.store.Replication(ctx)
	if err != nil {
		return err
	}
	now := continuity.Replication{System: identity.System, Timeline: identity.Timeline, Standbys: found.Standbys, Commit: found.Commit}
	if s.config.TrustFailover {
		var off error
		if !now.InForce() {
			off = fmt.Errorf("synchronous_standby_names is %q and synchronous_commit is %q", now.Standbys, now.Commit)
		}
		s.set(ready.Replication, off)
	}
	return s.recordReplication(ctx, identity, now)
}

// recordReplication records the replication of a server that was compared.
func (s *Server) recordReplication(ctx context.Context, identity continuity.Identity, now continuity.Replication) error {
	state, err := s.store.Continuity(ctx)
	if err != nil || state.Stopped() || state.Identity == nil || *state.Identity != identity || !s.guard.Compared() {
		return err
	}
	recorded := state.Replication
	switch {
	case now.InForce() && (recorded == nil || *recorded != now):
		return s.store.RecordReplication(ctx, &now)
	case !now.InForce() && recorded != nil && recorded.Timeline == now.Timeline:
		s.config.Log.Warn("PostgreSQL does not replicate synchronously any more", "synchronous_standby_names", now.Standbys, "synchronous_commit", now.Commit)
		return s.store.RecordReplication(ctx, nil)
	}
	return nil
}

// startReplication watches the replication of PostgreSQL. With TrustFailover nothing
// is issued before it is known.
func (s *Server) startReplication() {
	if s.config.Database == "" {
		return
	}
	if s.config.TrustFailover {
		s.issuing.Stop(ready.Replication, s.config.Now(), "the settings of PostgreSQL are not known yet")
	}
	s.loops.Start("watch the replication of PostgreSQL", pollTime, s.watchReplication)
}
