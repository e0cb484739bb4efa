package app_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// What a person has begun on one server can be finished on another one: after a
// restart, and on a second server with the same database. The links in e-mails set a
// password and complete a sign-up, and the first code confirms a second factor.
func TestK8_BegunOnAnotherServer(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			data, url := t.TempDir(), engine.NewDatabase(t)
			open := func() *servicetest.Instance {
				return servicetest.Open(t, func(c *server.Config) {
					openSignUp(c)
					if c.Database = url; url == "" {
						c.Data = data
					}
					c.MasterKeyFile = filepath.Join(data, "master.key")
				})
			}
			first := open()
			first.Enrol("noura@example.com")
			first.Enrol("huda@example.com")
			huda := first.SignedIn("huda@example.com")
			ask(first, "noura@example.com").Wants(t, http.StatusAccepted)
			askSignUp(first, "sara@example.sa").Wants(t, http.StatusAccepted)
			secret := servicetest.Text(first.As(huda, http.MethodPost, servicetest.FactorPath, `{"password":"`+servicetest.ClerkPassword+`"}`).Wants(t, http.StatusCreated)["secret"])
			reset, signUp := first.TokenTo("noura@example.com"), first.TokenTo("sara@example.sa")
			if url == "" {
				first.Service.Close() // only one server can use a folder
			}
			second := open()
			second.As(huda, http.MethodPost, servicetest.FactorPath+"confirm/", `{"code":"`+servicetest.OneTimeCode(t, secret, second.Clock.Now())+`"}`).Wants(t, http.StatusOK)
			completeSignUp(second, signUp).Wants(t, http.StatusCreated)
			setPassword(second, reset, newPassword).Wants(t, http.StatusOK)
			second.SignIn("noura@example.com", newPassword).Wants(t, http.StatusOK)
			servicetest.NoAccessLink.Wants(t, "used link", setPassword(second, reset, newPassword))
		})
	}
}
