package capacity

// Subjects returns the number of subjects that the pool remembers.
func (p *Pool) Subjects() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.shares)
}
