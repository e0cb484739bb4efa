package backup

import (
	"context"
	"time"
)

// Pace limits how much of the machine a backup uses.
type Pace struct {
	Rest int // rest after work, in per cent of the time worked; 0 means no rest
	Now  func() time.Time
}

// Gentle returns the pace for a backup beside a running server: the backup
// rests half of the time.
func Gentle(now func() time.Time) Pace { return Pace{Rest: 100, Now: now} }

// Amounts of data after which a backup rests, and writes its data to the disk.
// Otherwise a large amount of unwritten data would delay the next commit of the
// server.
const (
	restAfter = 256 << 10
	syncAfter = 8 << 20
)

// pacer rests in proportion to the time worked.
type pacer struct {
	Pace
	ctx   context.Context
	since time.Time
	done  int64
}

func newPacer(ctx context.Context, p Pace) *pacer { return &pacer{Pace: p, ctx: ctx, since: p.Now()} }

// did counts n bytes and rests after every restAfter bytes. It returns the
// error of the context.
func (p *pacer) did(n int) error {
	if p.done += int64(n); p.done < restAfter {
		return nil
	}
	p.done = 0
	if worked := p.Now().Sub(p.since); worked > 0 && p.Rest > 0 {
		pause := time.NewTimer(worked * time.Duration(p.Rest) / 100)
		defer pause.Stop()
		select {
		case <-pause.C:
		case <-p.ctx.Done():
		}
	}
	p.since = p.Now()
	return p.ctx.Err()
}
