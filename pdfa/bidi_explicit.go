package pdfa

import "golang.org/x/text/unicode/bidi"

// status is one entry of the directional status stack (X1).
type status struct {
	level    int8
	override bidi.Class // L, R, or ON if there is no override
	isolate  bool
}

// statusStack is the state of rules X1 to X8.
type statusStack struct {
	entries           [maxDepth + 2]status
	n                 int
	overflowIsolates  int
	overflowEmbedding int
	validIsolates     int
}

func (s *statusStack) top() status { return s.entries[s.n-1] }

func (s *statusStack) push(e status) {
	s.entries[s.n] = e
	s.n++
}

// next returns the lowest level of the given direction above the top, and whether
// it can be pushed.
func (s *statusStack) next(rtl bool) (int8, bool) {
	level := int(s.top().level)
	if rtl {
		level = (level + 1) | 1
	} else {
		level = (level + 2) &^ 1
	}
	return int8(min(level, maxDepth+1)), level <= maxDepth && s.overflowIsolates == 0 && s.overflowEmbedding == 0
}

// explicitLevels implements rules X1 to X9.
func (p *paragraph) explicitLevels() {
	var s statusStack
	s.push(status{p.base, bidi.ON, false})
	for i, c := range p.given {
		switch c {
		case bidi.RLE, bidi.LRE, bidi.RLO, bidi.LRO:
			s.embed(c)
			p.levels[i] = removed
		case bidi.RLI, bidi.LRI, bidi.FSI:
			p.isolate(&s, i, c)
		case bidi.PDI:
			s.leaveIsolate()
			p.levels[i] = s.top().level
			p.override(i, s.top())
		case bidi.PDF:
			s.leaveEmbedding()
			p.levels[i] = removed
		case bidi.BN:
			p.levels[i] = removed
		case bidi.B:
			p.levels[i] = p.base
		default:
			p.levels[i] = s.top().level
			p.override(i, s.top())
		}
	}
}

func (p *paragraph) override(i int, top status) {
	if top.override != bidi.ON {
		p.class[i] = top.override
	}
}

// embed implements rules X2 to X5.
func (s *statusStack) embed(c bidi.Class) {
	level, ok := s.next(c == bidi.RLE || c == bidi.RLO)
	if !ok {
		if s.overflowIsolates == 0 {
			s.overflowEmbedding++
		}
		return
	}
	override := bidi.ON
	switch c {
	case bidi.RLO:
		override = bidi.R
	case bidi.LRO:
		override = bidi.L
	}
	s.push(status{level, override, false})
}

// isolate implements rules X5a to X5c.
func (p *paragraph) isolate(s *statusStack, i int, c bidi.Class) {
	p.levels[i] = s.top().level
	p.override(i, s.top())
	rtl := c == bidi.RLI
	if c == bidi.FSI {
		end := p.match[i]
		if end < 0 {
			end = len(p.given)
		}
		rtl = p.firstStrong(i+1, end, true) == 1
	}
	level, ok := s.next(rtl)
	if !ok {
		s.overflowIsolates++
		return
	}
	s.validIsolates++
	s.push(status{level, bidi.ON, true})
}

// leaveIsolate implements rule X6a.
func (s *statusStack) leaveIsolate() {
	if s.overflowIsolates > 0 {
		s.overflowIsolates--
		return
	}
	if s.validIsolates == 0 {
		return
	}
	s.overflowEmbedding = 0
	for !s.top().isolate {
		s.n--
	}
	s.n--
	s.validIsolates--
}

// leaveEmbedding implements rule X7.
func (s *statusStack) leaveEmbedding() {
	switch {
	case s.overflowIsolates > 0:
	case s.overflowEmbedding > 0:
		s.overflowEmbedding--
	case !s.top().isolate && s.n > 1:
		s.n--
	}
}

// eachSequence implements rule X10: it finds and resolves the isolating run
// sequences.
func (p *paragraph) eachSequence() {
	levels := append([]int8(nil), p.levels...) // resolveSequence changes p.levels
	done := make([]bool, len(levels))
	for start := range levels {
		if levels[start] == removed || done[start] {
			continue
		}
		if p.given[start] == bidi.PDI && p.match[start] >= 0 {
			continue // part of the sequence of its initiator
		}
		p.gather(start, levels, done)
		level := levels[start]
		first, last := p.seq[0], p.seq[len(p.seq)-1]
		before := neighbour(levels, first, -1, p.base)
		after := neighbour(levels, last, 1, p.base)
		if isInitiator(p.given[last]) && p.match[last] < 0 {
			after = p.base
		}
		p.resolveSequence(level, direction(max(level, before)), direction(max(level, after)))
	}
}

// gather sets p.seq to the sequence that begins at start.
func (p *paragraph) gather(start int, levels []int8, done []bool) {
	p.seq = p.seq[:0]
	level := levels[start]
	for i := start; i < len(levels); i++ {
		if levels[i] == removed {
			continue
		}
		if levels[i] != level {
			return
		}
		done[i] = true
		p.seq = append(p.seq, i)
		if isInitiator(p.given[i]) {
			if p.match[i] < 0 {
				if i+1 < len(levels) && neighbour(levels, i, 1, removed) != level {
					return
				}
				continue
			}
			// The content of the isolate has a higher level, unless the isolate
			// overflowed; then it belongs to this run.
			if neighbour(levels, i, 1, removed) != level {
				i = p.match[i] - 1
			}
		}
	}
}

// neighbour returns the level of the next character in the direction of step
// that is not removed. If there is no such character, it returns otherwise.
func neighbour(levels []int8, i, step int, otherwise int8) int8 {
	for i += step; i >= 0 && i < len(levels); i += step {
		if levels[i] != removed {
			return levels[i]
		}
	}
	return otherwise
}
