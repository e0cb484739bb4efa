package database

// ForbidServerFacts makes the database skip the queries that managed servers
// often forbid.
func (db *DB) ForbidServerFacts() {
	for _, f := range serverFacts[:2] {
		db.server.forbid(f.query)
	}
}

// KeepsSession is the check of connections through a pooler.
var KeepsSession = keepsSession
