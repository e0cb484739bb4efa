package store

// GramsOf lets benchmarks write rows as the store does, many at a time.
func GramsOf(folded string) string { return gramsOf(folded) }

// KeptStatements is how many prepared statements are kept.
func (s *Store) KeptStatements() int {
	n := 0
	s.reads.prepared.Range(func(_, _ any) bool { n++; return true })
	return n
}
