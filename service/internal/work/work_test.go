package work_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"khatm/service/internal/work"
)

func TestLoopRunsAtOnceAndThenPeriodically(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loops := work.New(slog.New(slog.DiscardHandler))
		began := time.Now()
		var at []time.Duration
		wake := loops.Start("count", time.Minute, func(context.Context) error {
			at = append(at, time.Since(began))
			return nil
		})
		time.Sleep(90 * time.Second)
		synctest.Wait()
		wake()
		wake() // two calls cause one run
		synctest.Wait()
		time.Sleep(59 * time.Second)
		synctest.Wait()
		loops.Stop(time.Minute)
		want := []time.Duration{0, time.Minute, 90 * time.Second}
		if len(at) < 3 || at[0] != want[0] || at[1] != want[1] || at[2] != want[2] || len(at) > 4 {
			t.Errorf("ran at %v, want %v and at most one more run", at, want)
		}
	})
}

func TestLoopContinuesAfterErrorAndPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		loops := work.New(slog.New(slog.NewTextHandler(&log, nil)))
		n := 0
		loops.Start("failing", time.Second, func(context.Context) error {
			n++
			if n == 1 {
				panic("panicked")
			}
			return errors.New("failed")
		})
		time.Sleep(2500 * time.Millisecond)
		loops.Stop(time.Minute)
		if n != 3 || !strings.Contains(log.String(), "panic=panicked") || !strings.Contains(log.String(), "cause=failed") {
			t.Errorf("ran %d times, want 3 with panic and errors logged; log: %s", n, log.String())
		}
	})
}

func TestStopWaitsForRunningJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loops := work.New(slog.New(slog.DiscardHandler))
		done := false
		loops.Start("slow", time.Hour, func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(time.Second)
			done = true
			return nil
		})
		synctest.Wait()
		if !loops.Stop(time.Minute) || !done {
			t.Error("Stop did not wait for the running job")
		}
	})
}

func TestStopGivesUpAfterTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loops := work.New(slog.New(slog.DiscardHandler))
		release := make(chan struct{})
		loops.Start("hangs", time.Hour, func(context.Context) error {
			<-release
			return nil
		})
		synctest.Wait()
		began := time.Now()
		if loops.Stop(5*time.Second) || time.Since(began) != 5*time.Second {
			t.Errorf("Stop returned after %s, want false after 5s", time.Since(began))
		}
		close(release)
	})
}
