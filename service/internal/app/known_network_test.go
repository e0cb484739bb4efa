package app_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

// via makes a request come from an address, with behindProxy.
func via(address string) func(*http.Request) {
	return servicetest.Header("X-Forwarded-For", address)
}

// exhaust fails to sign in from many addresses until the limit of the account is
// reached.
func exhaust(t *testing.T, h *servicetest.Instance, email string, limit int) {
	t.Helper()
	for n := range limit {
		servicetest.WrongPassword.Wants(t, fmt.Sprint("guess ", n), h.SignIn(email, "wrong horse battery", via(fmt.Sprint("198.51.100.", n))))
	}
	servicetest.Throttled(t, h.SignIn(email, "wrong horse battery", via("198.51.100.250")), limit, 3600)
}

// Wrong passwords from many addresses do not lock a person out where they have
// signed in before, also after a restart. Anywhere else the right password is
// refused, as for an account that does not exist.
func TestInterface_8_KnownNetworkIsNotLockedOut(t *testing.T) {
	t.Parallel()
	const email, limit = "noura@example.com", 6
	for name, database := range map[string]func(*testing.T) string{
		"SQLite":     func(*testing.T) string { return "" },
		"PostgreSQL": func(t *testing.T) string { return storetest.Postgres(t).URL },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, data := database(t), t.TempDir()
			open := func() *servicetest.Instance {
				return servicetest.Open(t, func(c *server.Config) {
					c.Data, c.Database = data, url
					c.Rates.SignInEmail, c.Rates.SignInPair = limit, 4
					behindProxy(c)
				})
			}
			h := open()
			h.Enrol(email)
			h.SignIn(email, servicetest.ClerkPassword, via("203.0.113.7")).Wants(t, http.StatusOK)
			h.SignIn(email, servicetest.ClerkPassword, via("2001:db8:0:7::1")).Wants(t, http.StatusOK)
			attack := func(h *servicetest.Instance) {
				t.Helper()
				exhaust(t, h, email, limit)
				exhaust(t, h, "nobody@example.com", limit)
				for _, elsewhere := range []string{"203.0.113.8", "2001:db8:0:8::1"} {
					refused := h.SignIn(email, servicetest.ClerkPassword, via(elsewhere))
					servicetest.Throttled(t, refused, limit, 3600)
					servicetest.Same(t, "refusal of an unknown person", servicetest.Telling(h.SignIn("nobody@example.com", servicetest.ClerkPassword, via(elsewhere))), servicetest.Telling(refused))
				}
				for _, known := range []string{"203.0.113.7", "2001:db8:0:7::2"} {
					h.SignIn(email, servicetest.ClerkPassword, via(known)).Wants(t, http.StatusOK)
				}
			}
			attack(h)
			h.Service.Close()
			h = open() // the same folder or database
			h.Clock.Advance(time.Hour)
			attack(h)
		})
	}
}

// A known network has the limit of guesses of every other network.
func TestInterface_8_KnownNetworkCannotGuess(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(c *server.Config) {
		c.Rates.SignInEmail, c.Rates.SignInPair = 6, 4
		behindProxy(c)
	}, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("noura@example.com")
		h.Enrol("sara@example.com")
		at := via("203.0.113.7")
		h.SignIn("noura@example.com", servicetest.ClerkPassword, at).Wants(t, http.StatusOK)
		exhaust(t, h, "noura@example.com", 6)
		for n := range 4 {
			servicetest.WrongPassword.Wants(t, fmt.Sprint("guess ", n), h.SignIn(" NOURA@example.com", "wrong horse battery", at))
		}
		servicetest.Throttled(t, h.SignIn("noura@example.com", servicetest.ClerkPassword, at), 4, 3600)
		// The network is known for one person only.
		exhaust(t, h, "sara@example.com", 6)
		servicetest.Throttled(t, h.SignIn("sara@example.com", servicetest.ClerkPassword, at), 6, 3600)
	})
}

// A network is known for 90 days after the last sign-in, and the newest 20 of a
// person are known. The database does not contain their addresses.
func TestInterface_8_KnownNetworksAreForgotten(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(c *server.Config) { c.Rates.SignInEmail = 3; behindProxy(c) }, func(t *testing.T, h *servicetest.Instance) {
		const email = "noura@example.com"
		h.Enrol(email)
		known := func(address string) bool {
			t.Helper()
			got, err := h.Keys.KnowsNetwork(t.Context(), email, address)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		for n := range 21 {
			h.SignIn(email, servicetest.ClerkPassword, via(fmt.Sprint("203.0.113.", n))).Wants(t, http.StatusOK)
			h.Clock.Advance(time.Second)
		}
		if known("203.0.113.0") || !known("203.0.113.1") || !known("203.0.113.20") {
			t.Error("want the newest 20 of 21 networks known")
		}
		h.Clock.Advance(90*24*time.Hour - 2*time.Second)
		if known("203.0.113.19") || !known("203.0.113.20") {
			t.Error("want a network known for 90 days")
		}
		h.Clock.Advance(time.Hour - 19*time.Second) // to a full hour, in which the counts begin
		exhaust(t, h, email, 3)
		servicetest.Throttled(t, h.SignIn(email, servicetest.ClerkPassword, via("203.0.113.20")), 3, 3600)
	})
}
