package server

import (
	"errors"
	"fmt"
)

// Roles of servers that share a database.
const (
	RoleAll    = "all"
	RoleAPI    = "api"
	RoleWorker = "worker"
)

// checkRole returns an error if a server cannot have its role.
func (c Config) checkRole() error {
	switch c.Role {
	case RoleAll:
		return nil
	case RoleAPI, RoleWorker:
	default:
		return fmt.Errorf("--role is %q; it must be all, api or worker", c.Role)
	}
	if c.Database == "" {
		return fmt.Errorf("--role %s needs a PostgreSQL database, because only one server can use an SQLite database: set --database or KHATM_DATABASE, or use --role all", c.Role)
	}
	if c.Role == RoleWorker && c.Operations == "" {
		return errors.New("--role worker needs --operations, because a worker serves only metrics and health checks: set an address")
	}
	if c.Role == RoleWorker && c.URL == "" {
		return errors.New("--role worker needs --url, because a worker sends e-mails with links: set --url or KHATM_URL to the public URL of the servers with --role api")
	}
	return nil
}

// serves reports whether the server has the HTTP surfaces.
func (c Config) serves() bool { return c.Role != RoleWorker }

// works reports whether the server does the background work that one server can do
// for all.
func (c Config) works() bool { return c.Role != RoleAPI }

// listens returns the address of the first port.
func (c Config) listens() string {
	if c.serves() {
		return c.Address
	}
	return c.Operations
}

// startWork starts the loops that one of several servers can run for all. What there
// is to do is in the database, where each server looks for it.
func (s *Server) startWork() {
	if !s.config.works() {
		if s.config.Backups.Dir != "" {
			s.config.Log.Warn("a server with --role api makes no backups: --backup-daily has an effect on a server with --role worker or all")
		}
		return
	}
	s.startGuards()
	s.startPostman()
	s.wakeResets = s.loops.Start("send links for new passwords", resetEvery, s.accounts.SendResets)
	s.startBackups()
	s.startImports()
	s.startRates()
}
