package store_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"khatm/internal/testtool"
	"khatm/service/internal/store/storetest"
)

// saturate writes through the server in many goroutines until stop is called.
// written is the number of successful writes.
func (s *fixture) saturate() (written *atomic.Int64, stop func()) {
	written = new(atomic.Int64)
	var over atomic.Bool
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for !over.Load() {
				if err := s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())); err != nil {
					s.t.Error(err)
					return
				}
				written.Add(1)
			}
		})
	}
	return written, func() {
		over.Store(true)
		all.Wait()
	}
}

func TestCommandsWriteBesideASaturatedServer(t *testing.T) {
	t.Parallel()
	// A command waits at most ten seconds for others, and ten of them can take longer
	// on a busy machine.
	commands, writes := testtool.Scale(4, 10, 10), 20
	s := open(t, storetest.SQLite(t))
	written, stop := s.saturate()
	defer stop()
	for written.Load() == 0 && !t.Failed() { // wait for the first write
		time.Sleep(time.Millisecond)
	}
	var all []*process
	for range commands {
		all = append(all, start(t, "write", s.config, "command", s.other.Tenant.ID().String(), "1", fmt.Sprint(writes)))
	}
	var took []time.Duration
	for _, p := range all {
		for _, line := range p.rest() {
			micros, err := time.ParseDuration(strings.Fields(line)[1] + "us")
			ok(t, err)
			took = append(took, micros)
		}
		ok(t, p.end())
	}
	during := written.Load()
	stop()
	if len(took) != commands*writes || s.count(`SELECT count(*) FROM client WHERE org_id = $1`, s.other.Tenant.ID().String()) != commands*writes {
		t.Errorf("%d writes of commands were acknowledged, want %d acknowledged and stored", len(took), commands*writes)
	}
	if during == 0 {
		t.Error("the server wrote nothing while commands wrote, want some writes")
	}
	s.tallied()
	slices.Sort(took)
	t.Logf("the server wrote %d clients; a command's write took %s at the median, %s at p99, %s at most", during, took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
}

// runKnock locks knock.lock until its input ends.
func runKnock([]string) error {
	knock := flock.New(filepath.Join(processConfig().Dir, "knock.lock"))
	held, err := knock.TryLock()
	fmt.Println(held, err)
	waitForEOF()
	return knock.Unlock()
}

// A suspended command that has locked knock.lock does not block the server,
// which waits at most two seconds before each commit.
func TestServerWritesBesideAHangingCommand(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	hanging := start(t, "knock", s.config)
	if got := hanging.line(); got != "true <nil>" {
		t.Fatalf("command printed %q, want that it has locked knock.lock", got)
	}
	hanging.signal(syscall.SIGSTOP)
	from := time.Now()
	ok(t, s.AddReason(s.ctx, s.by, sampleReason(s.config.NewID())))
	if got := s.count(`SELECT count(*) FROM reason`); got != 1 {
		t.Errorf("%d reasons were written, want 1", got)
	}
	if took := time.Since(from); took < time.Second {
		t.Errorf("the server waited only %s for the command, want about 2s", took)
	}
}
