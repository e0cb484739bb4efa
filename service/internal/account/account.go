package account

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// Keeper is where accounts are kept.
type Keeper interface {
	AddKey(ctx context.Context, by org.Actor, k org.Key, digest []byte) error
	KeyHolder(ctx context.Context, k Knock) (KeyHolder, error)
	AddPerson(ctx context.Context, by org.Actor, p org.Person, password string) error
	AddMember(ctx context.Context, by org.Actor, p org.Person, password string, role org.Role) error
	SetPassword(ctx context.Context, by org.Actor, person uuid.UUID, password string) error
	PersonByEmail(ctx context.Context, email string) (org.Person, string, error)
	AddMembership(ctx context.Context, by org.Actor, person uuid.UUID, role org.Role) error
	// AddSession writes a session of somebody who has shown the password of this
	// hash; ErrUnknown if it is another by now, or the account is closed. An empty
	// hash is not asked about.
	AddSession(ctx context.Context, person uuid.UUID, password string, digest []byte, from, until time.Time) error
	EndSession(ctx context.Context, digest []byte) error
	EndSessions(ctx context.Context, person uuid.UUID) error
	Visitor(ctx context.Context, digest []byte, now time.Time) (org.Visitor, error)
	AddOrganisation(ctx context.Context, by org.Actor, o org.Organisation) error
	ChangeOrganisation(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error)
	AddBranch(ctx context.Context, by org.Actor, b org.Branch) error
}

// What a Keeper says when there is nobody, and when a key's name is taken.
var (
	ErrUnknown   = errors.New("unknown")
	ErrNameTaken = errors.New("the name is taken")
)

// Knock is a key that asks to be let in: its name, the digest of its text, when,
// and the rate window that the call is in. A Keeper that counts calls counts
// this one if the key is the one it knows: to ask once is quicker than twice.
type Knock struct {
	Name        string
	Digest      []byte
	At          time.Time
	From, Until time.Time
}

// KeyHolder is who stands behind a key's name, and what the key must match.
type KeyHolder struct {
	org.Holder
	Digest  []byte
	Revoked bool
}

// Config brings what accounts are made of.
type Config struct {
	Keeper Keeper
	Now    func() time.Time
	NewID  func() uuid.UUID
	Random io.Reader
	Cost   Cost // of hashing a password; zero: DefaultCost
}

// Accounts does the verbs.
type Accounts struct {
	keep   Keeper
	now    func() time.Time
	newID  func() uuid.UUID
	random io.Reader
	hash   hasher
}

// New makes them.
func New(c Config) *Accounts {
	return &Accounts{keep: c.Keeper, now: c.Now, newID: c.NewID, random: c.Random, hash: newHasher(c.Random, c.Cost)}
}
