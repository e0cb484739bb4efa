package pdfa

import "sync"

// wordKey identifies a shaped word.
type wordKey struct {
	text string
	face *face
	rtl  bool
}

const (
	cacheShards = 16
	// maxCachedWord is the maximum length of a cached word in bytes, so that a very
	// long word does not evict all others.
	maxCachedWord = 96
)

// wordCache is an LRU cache of shaped words with a limit on its memory. It is
// split into shards to reduce lock contention.
type wordCache struct {
	shards [cacheShards]wordShard
}

type wordShard struct {
	mu      sync.Mutex
	entries map[wordKey]*wordEntry
	ring    wordEntry // sentinel of a ring: next is the newest, prev the oldest
	size    int
	limit   int
}

type wordEntry struct {
	key        wordKey
	word       *word
	prev, next *wordEntry
}

func newWordCache(limit int) *wordCache {
	c := &wordCache{}
	for i := range c.shards {
		s := &c.shards[i]
		s.entries, s.limit = map[wordKey]*wordEntry{}, limit/cacheShards
		s.ring.prev, s.ring.next = &s.ring, &s.ring
	}
	return c
}

func (c *wordCache) shard(k wordKey) *wordShard {
	h := uint32(2166136261)
	for i := range len(k.text) {
		h = (h ^ uint32(k.text[i])) * 16777619
	}
	return &c.shards[(h^h>>16)%cacheShards]
}

func (c *wordCache) get(k wordKey) *word {
	s := c.shard(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[k]
	if e == nil {
		return nil
	}
	if s.ring.next != e {
		e.unlink()
		s.newest(e)
	}
	return e.word
}

func (c *wordCache) put(k wordKey, w *word) {
	if len(k.text) > maxCachedWord {
		return
	}
	s := c.shard(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[k] != nil {
		return // another goroutine has added it
	}
	e := &wordEntry{key: k, word: w}
	s.entries[k] = e
	s.newest(e)
	for s.size += e.cost(); s.size > s.limit && s.ring.prev != e; {
		oldest := s.ring.prev
		oldest.unlink()
		delete(s.entries, oldest.key)
		s.size -= oldest.cost()
	}
}

// cost returns the approximate memory of an entry, including its place in the map.
func (e *wordEntry) cost() int {
	total := 240 + len(e.key.text) + 48*cap(e.word.glyphs)
	for i := range e.word.glyphs {
		total += len(e.word.glyphs[i].more)
	}
	return total
}

func (s *wordShard) newest(e *wordEntry) {
	e.prev, e.next = &s.ring, s.ring.next
	e.prev.next, e.next.prev = e, e
}

func (e *wordEntry) unlink() { e.prev.next, e.next.prev = e.next, e.prev }
