package database

// ForbidServerFacts makes the database go without what managed servers forbid.
func (db *DB) ForbidServerFacts() {
	for _, f := range serverFacts[:2] {
		db.server.forbid(f.query)
	}
}
