package simulator

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"khatm/simulator/internal/ca"
)

// passwordLife is how long a one-time password is valid.
const passwordLife = time.Hour

// Passwords that the developer portal documents for everyone. The last two are
// examples of a wrong and of an expired password; both are refused like any
// other invalid password.
const (
	sandboxValid   = "123345"
	sandboxInvalid = "111111"
	sandboxExpired = "222222"

	// sandboxLax is used by tests of some clients. The real portal is said to
	// accept almost any password; only Config.Lax accepts this one.
	sandboxLax = "123456"
)

// password is a one-time password of six digits, valid for one taxpayer in one
// environment.
type password struct {
	OTP         string         `json:"otp"`
	Environment ca.Environment `json:"environment"`
	VATNumber   string         `json:"vat_number"`
	Expires     time.Time      `json:"expires"`
}

type passwords struct {
	mu   sync.Mutex
	open []password // unused passwords, oldest first
}

func newPasswords(kept []password) *passwords { return &passwords{open: kept} }

func (p *passwords) all() []password {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.open)
}

// invalidPassword is the error for a one-time password that is refused. It does
// not contain the password.
type invalidPassword struct{ cause, fix string }

func (i *invalidPassword) Error() string { return "the one-time password is invalid: " + i.cause }

// use checks a password, calls work, and removes the password if work succeeds.
// It holds the lock until it returns, so of two calls with the same password
// only one succeeds.
func (p *passwords) use(e ca.Environment, otp, vatNumber string, now time.Time, work func() error) error {
	if e == ca.Sandbox && otp == sandboxValid {
		return work()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.open, func(o password) bool {
		return o.OTP == otp && o.Environment == e && o.VATNumber == vatNumber && now.Before(o.Expires)
	})
	if at < 0 {
		return p.invalid(e, otp, vatNumber)
	}
	if err := work(); err != nil {
		return err
	}
	p.open = slices.Delete(p.open, at, at+1)
	return nil
}

// invalid explains why a password is refused. The caller holds p.mu.
func (p *passwords) invalid(e ca.Environment, otp, vatNumber string) *invalidPassword {
	fix := fmt.Sprintf(`Create a password with POST /otps of the control API: {"vat_number":"%s","environment":"%s"}.`, vatNumber, e)
	if e == ca.Sandbox {
		fix = "Use 123345 on the developer portal, or create a password with POST /otps of the control API."
	}
	at := slices.IndexFunc(p.open, func(o password) bool { return o.OTP == otp })
	switch {
	case e == ca.Sandbox && otp == sandboxInvalid:
		return &invalidPassword{"111111 is the example of an invalid password", fix}
	case e == ca.Sandbox && otp == sandboxExpired:
		return &invalidPassword{"222222 is the example of an expired password", fix}
	case at < 0:
		return &invalidPassword{"the password was not created here, or was used already", fix}
	case p.open[at].Environment != e:
		return &invalidPassword{fmt.Sprintf("the password was created for %s, not for %s", p.open[at].Environment, e), fix}
	case p.open[at].VATNumber != vatNumber:
		return &invalidPassword{fmt.Sprintf("the password was created for another VAT number than %s, the UID of the certificate request", vatNumber), fix}
	}
	return &invalidPassword{fmt.Sprintf("the password expired at %s", p.open[at].Expires.UTC().Format(time.RFC3339)), fix}
}

// add creates a password that differs from every unused one of the environment.
func (p *passwords) add(e ca.Environment, vatNumber string, now time.Time, random io.Reader) (password, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = slices.DeleteFunc(p.open, func(o password) bool { return !now.Before(o.Expires) })
	const most = 100_000 // of one million possible values
	if len(p.open) >= most {
		return password{}, fmt.Errorf("create a one-time password: %d are already in use", most)
	}
	for range 1000 {
		var raw [4]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return password{}, fmt.Errorf("create a one-time password: %w", err)
		}
		otp := fmt.Sprintf("%06d", binary.BigEndian.Uint32(raw[:])%1_000_000)
		taken := slices.ContainsFunc(p.open, func(o password) bool { return o.OTP == otp && o.Environment == e })
		if taken || slices.Contains([]string{sandboxValid, sandboxInvalid, sandboxExpired, sandboxLax}, otp) {
			continue
		}
		made := password{OTP: otp, Environment: e, VATNumber: vatNumber, Expires: now.Add(passwordLife)}
		p.open = append(p.open, made)
		return made, nil
	}
	return password{}, errors.New("create a one-time password: no free value after 1000 attempts")
}

// wrongPassword reports an invalid argument to makePassword.
type wrongPassword struct{ reason string }

func (w *wrongPassword) Error() string { return "create a one-time password: " + w.reason }

// makePassword checks its arguments and creates a password. The caller holds
// s.mu.
func (s *Simulator) makePassword(environment, vatNumber string) (password, error) {
	if s.state == nil {
		return password{}, errClosed
	}
	e, known := environmentNamed(environment)
	if !known {
		return password{}, &wrongPassword{fmt.Sprintf("unknown environment %q", environment)}
	}
	if !isVATNumber(vatNumber) {
		return password{}, &wrongPassword{fmt.Sprintf("VAT number %q must have 15 digits and begin and end with 3", vatNumber)}
	}
	made, err := s.state.passwords.add(e, vatNumber, s.clock.now(), s.cfg.Random)
	if err != nil {
		return password{}, err
	}
	return made, s.state.save()
}

func isVATNumber(text string) bool {
	if len(text) != 15 || text[0] != '3' || text[14] != '3' {
		return false
	}
	return !slices.ContainsFunc([]byte(text), func(c byte) bool { return c < '0' || c > '9' })
}
