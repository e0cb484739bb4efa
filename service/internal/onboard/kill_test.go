package onboard_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/vault"
)

// runHelper onboards a device in its own process. It prints each state it
// reaches and then waits until it gets a line of input or is killed.
func runHelper() {
	if err := onboardUntilKilled(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func onboardUntilKilled() error {
	ctx := context.Background()
	env := func(name string) string { return os.Getenv("KHATM_TEST_ONBOARD_" + name) }
	now := func() time.Time { return storetest.Start }
	newID := func() uuid.UUID { return uuid.Must(uuid.NewV7()) }
	kept, err := store.Command(ctx, store.Config{Dir: env("DIR"), URL: env("DATABASE"), Now: now, NewID: newID, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	ring, err := vault.Load(vault.Config{File: env("KEYS"), Random: rand.Reader, Now: now})
	if err != nil {
		return err
	}
	client, err := authority.New(authority.Config{URL: env("AUTHORITY"), Now: now})
	if err != nil {
		return err
	}
	o := onboard.New(onboard.Config{Keeper: kept, Vault: ring, Authority: client, Now: now, NewID: newID})
	told := bufio.NewReader(os.Stdin)
	order := onboard.Order{
		Device: uuid.MustParse(env("DEVICE")), OTP: device.NewSecret(env("OTP")),
		Saw: func(s device.Status) {
			fmt.Println(s)
			_, _ = told.ReadString('\n')
		},
	}
	by := org.Operator(org.TenantOf(uuid.MustParse(env("ORG"))), "child")
	if env("RENEWAL") != "" {
		_, err = o.Renew(ctx, by, order)
	} else {
		_, err = o.Onboard(ctx, by, order)
	}
	return err
}

// killAt onboards or renews a device in another process and kills it (SIGKILL)
// in a state.
func (h *fixture) killAt(d device.Device, at device.Status, renewal bool) {
	h.t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), role+"=lead",
		"KHATM_TEST_ONBOARD_DIR="+h.config.Dir, "KHATM_TEST_ONBOARD_DATABASE="+h.config.URL, "KHATM_TEST_ONBOARD_KEYS="+h.keys,
		"KHATM_TEST_ONBOARD_AUTHORITY="+h.url, "KHATM_TEST_ONBOARD_DEVICE="+d.ID.String(), "KHATM_TEST_ONBOARD_ORG="+h.owner.ID.String(),
		"KHATM_TEST_ONBOARD_OTP="+h.otp().Reveal())
	if renewal {
		child.Env = append(child.Env, "KHATM_TEST_ONBOARD_RENEWAL=1")
	}
	var said strings.Builder
	child.Stderr = &said
	stdin, err := child.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		h.t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() && lines.Text() != string(at) {
		_, _ = io.WriteString(stdin, "\n")
	}
	got := lines.Text()
	_ = child.Process.Kill()
	_ = child.Wait()
	if got != string(at) {
		h.t.Fatalf("the process did not reach %s, last state was %s: %s", at, got, said.String())
	}
}

// TestKilledInEveryState kills an onboarding and a renewal with checks in every
// state and checks that the next attempt completes them.
func TestKilledInEveryState(t *testing.T) {
	each(t, func(t *testing.T, h *fixture) {
		for _, renewal := range []bool{false, true} {
			for n, at := range allStates {
				if h.config.URL != "" && !testtool.All() && (n%2 == 0) == renewal {
					continue // PostgreSQL gets every state once
				}
				t.Run(fmt.Sprintf("renewal %v %s", renewal, at), func(t *testing.T) {
					h.killedAt(t, at, renewal)
				})
			}
			h.checks()
		}
	})
}

func (h *fixture) killedAt(t *testing.T, at device.Status, renewal bool) {
	t.Helper()
	d := h.device(device.SimplifiedOnly)
	lead := h.onboard
	if renewal {
		d, lead = h.active(device.SimplifiedOnly), h.renew
	}
	h.killAt(d, at, renewal)
	if got := h.way(d.ID, renewal).Status; got != at {
		t.Fatalf("the enrolment has status %s after the kill, want %s", got, at)
	}
	led := h.kept(d.ID)
	if at != device.PCSIDGenerated {
		if renewal {
			h.checkActive(led) // the old certificate is complete
		}
		var err error
		if led, err = lead(d, h.otp()); err != nil {
			t.Fatal(err)
		}
	}
	h.checkActive(led)
	if renewal {
		h.replaced(d, led)
	}
}
