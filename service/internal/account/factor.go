package account

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// FactorPurpose is the purpose for which the vault seals the secret of a second
// factor. The owner is the person.
const FactorPurpose = "second-factor"

// FactorLife is how long a new second factor waits for its first code.
const FactorLife = time.Hour

// A person has this many recovery codes of 80 random bits.
const (
	recoveryCodes = 10
	recoveryBytes = 10
)

// Factor is the second factor of a person: the secret of an authenticator app.
type Factor struct {
	Person    uuid.UUID
	Sealed    []byte // secret, sealed by the vault
	CreatedAt time.Time
	Expires   time.Time // if it is not active; otherwise zero
	ActiveAt  time.Time // time of the first code; zero if it is not active
	LastStep  int64     // of the last accepted code, which cannot be used again
	Recovery  int       // unused recovery codes
}

// Active reports whether signing in needs a code.
func (f Factor) Active() bool { return !f.ActiveAt.IsZero() }

// Proof is what a valid code uses up: the step of an app's code, or the digest of
// a recovery code.
type Proof struct {
	Step     int64
	Recovery []byte
}

// Prove checks a code against a stored factor. It returns ErrWrongCode if the code
// is wrong.
type Prove func(Factor) (Proof, error)

// Errors of a Keeper about a second factor: it is needed, or a code is wrong or was
// used before.
var (
	ErrFactor    = errors.New("a second factor is needed")
	ErrWrongCode = errors.New("wrong code")
)

// FactorKeeper stores second factors.
type FactorKeeper interface {
	// Factor returns the second factor of a person, or ErrUnknown.
	Factor(ctx context.Context, person uuid.UUID) (Factor, error)
	// AddFactor stores a factor that is not active yet, in place of another such one.
	// It returns ErrFactor if the person has an active one.
	AddFactor(ctx context.Context, f Factor) error
	// ActivateFactor makes a factor active that has not expired at the time of the
	// opening, replaces the recovery codes, ends all sessions of the person and stores
	// a new one. It returns ErrUnknown if there is no such factor.
	ActivateFactor(ctx context.Context, by org.Actor, prove Prove, recovery [][]byte, o Opening) error
	// ReplaceRecovery replaces the recovery codes. It returns ErrUnknown if the person
	// has no active factor.
	ReplaceRecovery(ctx context.Context, by org.Actor, person uuid.UUID, prove Prove, recovery [][]byte) error
	// RemoveFactor deletes an active factor and its recovery codes. It returns
	// ErrUnknown if the person has no factor. Without prove it ends the sessions of the person.
	RemoveFactor(ctx context.Context, by org.Actor, person uuid.UUID, prove Prove) error
}

// Vault seals secrets.
type Vault interface {
	Seal(purpose, owner string, plain []byte) ([]byte, error)
	Open(purpose, owner string, sealed []byte) ([]byte, error)
}

// CountCode counts a code of an authenticator app before it is checked. back
// removes it from the count.
type CountCode func(ctx context.Context, person uuid.UUID) (back func(), err error)

// Reentry is what a signed-in person enters again for a change of their account.
type Reentry struct {
	Password  string
	Code      string // of the authenticator app, or a recovery code
	CountCode CountCode
}

// Factor returns the second factor of a person, or the zero value.
func (a *Accounts) Factor(ctx context.Context, person uuid.UUID) (Factor, error) {
	f, err := a.keep.Factor(ctx, person)
	if errors.Is(err, ErrUnknown) {
		return Factor{}, nil
	}
	return f, err
}

// StartFactor creates a secret for an authenticator app. Signing in does not need a
// code until ActivateFactor was called with the first one.
func (a *Accounts) StartFactor(ctx context.Context, p org.Person, password string) (secret, otpauth string, expires time.Time, err error) {
	if err := a.checkCurrent(ctx, p, password); err != nil {
		return "", "", expires, err
	}
	raw := make([]byte, totpBytes)
	if _, err := io.ReadFull(a.random, raw); err != nil {
		return "", "", expires, fmt.Errorf("generate a secret: %w", err)
	}
	sealed, err := a.vault.Seal(FactorPurpose, p.ID.String(), raw)
	if err != nil {
		return "", "", expires, err
	}
	now := a.now()
	expires = now.Add(FactorLife)
	err = a.keep.AddFactor(ctx, Factor{Person: p.ID, Sealed: sealed, CreatedAt: now, Expires: expires})
	if errors.Is(err, ErrFactor) {
		return "", "", expires, fault.New(fault.SecondFactorActive, "The account already has a second factor. Remove it before you add another.")
	}
	secret = base32Text.EncodeToString(raw)
	return secret, otpauthURL(p.Email, secret), expires, err
}

// ActivateFactor makes the secret of StartFactor the second factor of a person. It
// ends all sessions and returns the token of a new one, and the recovery codes,
// which are not stored and cannot be returned again.
func (a *Accounts) ActivateFactor(ctx context.Context, by org.Actor, person uuid.UUID, code string, count CountCode) (codes []string, session string, err error) {
	codes, digests, err := a.newRecovery()
	if err != nil {
		return nil, "", err
	}
	prove, back, err := a.prover(ctx, person, code, count)
	if err != nil {
		return nil, "", err
	}
	session, o, err := a.opening(Opening{Person: person})
	if err == nil {
		err = a.keep.ActivateFactor(ctx, by, prove, digests, o)
	}
	if err := reentered(err, back); err != nil {
		return nil, "", err
	}
	return codes, session, nil
}

// RenewRecovery replaces the recovery codes of a person and returns the new ones.
func (a *Accounts) RenewRecovery(ctx context.Context, by org.Actor, p org.Person, again Reentry) ([]string, error) {
	codes, digests, err := a.newRecovery()
	if err != nil {
		return nil, err
	}
	err = a.reenter(ctx, p, again, func(prove Prove) error { return a.keep.ReplaceRecovery(ctx, by, p.ID, prove, digests) })
	if err != nil {
		return nil, err
	}
	return codes, nil
}

// RemoveFactor removes the second factor of a person.
func (a *Accounts) RemoveFactor(ctx context.Context, by org.Actor, p org.Person, again Reentry) error {
	return a.reenter(ctx, p, again, func(prove Prove) error { return a.keep.RemoveFactor(ctx, by, p.ID, prove) })
}

// DropFactor removes the second factor of a person who has lost it, and ends their
// sessions.
func (a *Accounts) DropFactor(ctx context.Context, by org.Actor, email string) error {
	p, err := a.person(ctx, email)
	if err != nil {
		return err
	}
	if err = a.keep.RemoveFactor(ctx, by, p.ID, nil); errors.Is(err, ErrUnknown) {
		return errNoFactor()
	}
	return err
}

// reenter calls do if the password is right. do checks the code.
func (a *Accounts) reenter(ctx context.Context, p org.Person, again Reentry, do func(Prove) error) error {
	if err := a.checkCurrent(ctx, p, again.Password); err != nil {
		return err
	}
	prove, back, err := a.prover(ctx, p.ID, again.Code, again.CountCode)
	if err != nil {
		return err
	}
	return reentered(do(prove), back)
}

// reentered returns the error for a signed-in person. Unless the code was wrong, it
// calls back.
func reentered(err error, back func()) error {
	if errors.Is(err, ErrWrongCode) {
		return fault.New(fault.WrongCurrentCode, "The code is wrong or was used before.")
	}
	back()
	if errors.Is(err, ErrUnknown) {
		return errNoFactor()
	}
	return err
}

func errNoFactor() error {
	return fault.New(fault.SecondFactorMissing, "The account has no second factor, or it was not confirmed in time.")
}

// checkCurrent returns a WrongCurrentPassword fault unless the password is that of
// the person.
func (a *Accounts) checkCurrent(ctx context.Context, p org.Person, password string) error {
	_, kept, err := a.keep.PersonByEmail(ctx, p.Email)
	if err != nil {
		return err
	}
	fits, err := a.fits(ctx, password, kept)
	if err == nil && !fits {
		err = errCurrentPassword()
	}
	return err
}

// factorOf returns how AddSession checks the code of a sign-in, after the password.
// It is nil for a person without a second factor.
func (a *Accounts) factorOf(ctx context.Context, person uuid.UUID, c Credentials) (prove Prove, back func(), err error) {
	f, err := a.Factor(ctx, person)
	switch {
	case err != nil:
		return nil, nil, err
	case !f.Active():
		return nil, func() {}, nil
	case cleanCode(c.Code) == "":
		return nil, nil, errFactorRequired()
	}
	return a.prover(ctx, person, c.Code, c.CountCode)
}

func errFactorRequired() error {
	return fault.New(fault.SecondFactorRequired, "Send the code of your authenticator app, or a recovery code, in code.")
}

// prover returns the check of a code. A code of an app is counted, because it has
// few digits; a recovery code cannot be guessed, and always lets its person in.
func (a *Accounts) prover(ctx context.Context, person uuid.UUID, code string, count CountCode) (Prove, func(), error) {
	code = cleanCode(code)
	if !looksLikeTOTP(code) {
		return func(f Factor) (Proof, error) { return recoveryProof(f, code) }, func() {}, nil
	}
	back, err := count(ctx, person)
	if err != nil {
		return nil, nil, err
	}
	return func(f Factor) (Proof, error) {
		secret, err := a.vault.Open(FactorPurpose, f.Person.String(), f.Sealed)
		if err != nil {
			return Proof{}, err
		}
		step, found := usedStep(secret, code, a.now(), f.LastStep)
		if !found {
			return Proof{}, ErrWrongCode
		}
		return Proof{Step: step}, nil
	}, back, nil
}

// recoveryProof returns the proof of a recovery code, which only an active factor
// has. The Keeper finds out whether the code exists.
func recoveryProof(f Factor, code string) (Proof, error) {
	if !f.Active() {
		return Proof{}, ErrWrongCode
	}
	return Proof{Recovery: digestOf(code)}, nil
}

// newRecovery returns new recovery codes, as they are shown, and their digests.
func (a *Accounts) newRecovery() (codes []string, digests [][]byte, err error) {
	for range recoveryCodes {
		raw := make([]byte, recoveryBytes)
		if _, err := io.ReadFull(a.random, raw); err != nil {
			return nil, nil, fmt.Errorf("generate recovery codes: %w", err)
		}
		text := base32Text.EncodeToString(raw)
		digests = append(digests, digestOf(text))
		codes = append(codes, strings.Join(slices.Collect(groupsOf(text, 4)), "-"))
	}
	return codes, digests, nil
}

// groupsOf returns the parts of an ASCII text with n characters each.
func groupsOf(text string, n int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for part := range slices.Chunk([]byte(text), n) {
			if !yield(string(part)) {
				return
			}
		}
	}
}
