package account

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// Keeper stores accounts.
type Keeper interface {
	AddKey(ctx context.Context, by org.Actor, k org.Key, digest []byte) error
	KeyHolder(ctx context.Context, k KeyLookup) (KeyHolder, error)
	Key(ctx context.Context, of org.Tenant, id uuid.UUID) (org.Key, error)
	KeyPage(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Key], error)
	// RevokeKey revokes a key by its name or id. Revoking it again changes nothing.
	RevokeKey(ctx context.Context, by org.Actor, nameOrID string, at time.Time) error
	AddPerson(ctx context.Context, by org.Actor, p org.Person, password string) error
	AddMember(ctx context.Context, by org.Actor, p org.Person, password string, role org.Role) error
	SetPassword(ctx context.Context, by org.Actor, person uuid.UUID, password string) error
	PersonByEmail(ctx context.Context, email string) (org.Person, string, error)
	AddMembership(ctx context.Context, by org.Actor, person uuid.UUID, role org.Role) error
	// AddSession stores a session and, with it, the network of the person. It
	// returns ErrUnknown if the password has changed meanwhile or the account is
	// disabled, and ErrFactor or ErrWrongCode if the second factor is not proven.
	AddSession(ctx context.Context, o Opening) error
	// KnowsNetwork reports whether a network was stored with a session after the
	// given time.
	KnowsNetwork(ctx context.Context, digest []byte, after time.Time) (bool, error)
	EndSession(ctx context.Context, digest []byte) error
	EndSessions(ctx context.Context, person uuid.UUID) error
	Visitor(ctx context.Context, digest []byte, now time.Time) (org.Visitor, error)
	AddOrganisation(ctx context.Context, by org.Actor, o org.Organisation) error
	ChangeOrganisation(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error)
	// ChangeCompany is like ChangeOrganisation, but refuses another VAT number while
	// a device has a certificate.
	ChangeCompany(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error)
	AddBranch(ctx context.Context, by org.Actor, b org.Branch) error
	ChangeBranch(ctx context.Context, by org.Actor, id uuid.UUID, change func(*org.Branch) error) (org.Branch, error)
	// AccessLink returns a link that works at the given time, or ErrUnknown.
	AccessLink(ctx context.Context, digest []byte, purpose LinkPurpose, now time.Time) (AccessLink, error)
	// AddSetUpLink stores a set-up link and revokes the previous one. It returns a
	// SetUpDone fault if the installation has an organisation.
	AddSetUpLink(ctx context.Context, by org.Actor, link AccessLink) error
	// Found uses a set-up link and stores the person and the organisation. It returns
	// ErrUnknown if the link does not work, and a SetUpDone fault if the installation
	// has an organisation, or an EnvironmentFixed fault if it belongs to another
	// environment.
	Found(ctx context.Context, by org.Actor, f Founding) error

	FactorKeeper
	SignUpKeeper
	ResetKeeper
	SignInKeeper
	// ReplacePassword sets a password and ends all sessions of the person. It returns
	// ErrUnknown if the previous hash is not the given one.
	ReplacePassword(ctx context.Context, by org.Actor, person uuid.UUID, from, to string) error
	Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error)
	MemberPage(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Member], error)
	// ChangeRole changes the role of a member. It returns a LastAdmin fault if no
	// other Admin is left.
	ChangeRole(ctx context.Context, by org.Actor, person uuid.UUID, role org.Role) (org.Member, error)
	MemberKeys(ctx context.Context, of org.Tenant, person uuid.UUID) ([]org.Key, error)
	// RemoveMember removes a member, ends all their sessions and returns the active
	// keys they have created. It returns a LastAdmin fault if no other Admin is left,
	// and a MemberHasKeys fault if there are keys and their fate is not given.
	RemoveMember(ctx context.Context, by org.Actor, person uuid.UUID, keys FateOfKeys, at time.Time) ([]org.Key, error)
	// AddInvitation stores an invitation, revokes the previous one of the address and
	// queues the e-mail. It returns an AlreadyMember fault if the address belongs to a
	// member.
	AddInvitation(ctx context.Context, by org.Actor, link AccessLink, letter mail.Letter) error
	InvitationPage(ctx context.Context, of org.Tenant, page org.Page, now time.Time) (org.List[AccessLink], error)
	RevokeInvitation(ctx context.Context, by org.Actor, id uuid.UUID, at time.Time) error
	// AcceptInvitation uses an invitation and makes the person a member, unless they
	// already have the same or a higher role. It returns ErrUnknown if the link does
	// not work.
	AcceptInvitation(ctx context.Context, by org.Actor, a Acceptance) error
	RenamePerson(ctx context.Context, by org.Actor, person uuid.UUID, name string) (org.Person, error)
}

// Errors returned by a Keeper: for an unknown person, key or session, and for a
// key name that is already used.
var (
	ErrUnknown   = errors.New("unknown")
	ErrNameTaken = errors.New("the name is taken")
)

// KeyLookup is a lookup of a presented key: its name, the digest of its text, the
// time, and the rate window of the call. A Keeper that counts calls counts this
// one if the digest matches, which saves a second round trip.
type KeyLookup struct {
	Name        string
	Digest      []byte
	At          time.Time
	From, Until time.Time
}

// KeyHolder is the identity stored for a key name, and the digest that a
// presented key must have.
type KeyHolder struct {
	org.Holder
	Digest  []byte
	Revoked bool
}

// Opening is a session to be stored.
type Opening struct {
	Person      uuid.UUID
	Password    string // hash that must still be the person's; empty: any
	Prove       Prove  // checks the code of a person with a second factor; nil: ErrFactor
	Proven      bool   // the person was signed in before, so that no code is needed
	Digest      []byte // of the token
	From, Until time.Time
	Network     []byte    // digest of e-mail address and network; nil: none
	Forget      time.Time // networks that were last seen at this time or before are deleted
	Networks    int       // number of networks to keep of a person, the newest
}

// Config configures Accounts.
type Config struct {
	Keeper Keeper
	Now    func() time.Time
	NewID  func() uuid.UUID
	Random io.Reader
	Cost   Cost   // of hashing a password; zero: DefaultCost
	URL    string // public base URL, for links in e-mails

	Capacity *capacity.Limits // for hashing passwords; nil for no limits
	Vault    Vault            // for e-mails and second factors; nil if none are used
}

// Accounts manages keys, people, sessions and organisations.
type Accounts struct {
	keep   Keeper
	now    func() time.Time
	newID  func() uuid.UUID
	random io.Reader
	hash   hasher
	vault  Vault
	url    string
}

// Hashes returns the number of password hashes that were computed, to make or to
// check one. Nothing else that Accounts do takes as long.
func (a *Accounts) Hashes() int64 { return a.hash.computed.Load() }

// New returns Accounts with the given configuration.
func New(c Config) *Accounts {
	return &Accounts{keep: c.Keeper, now: c.Now, newID: c.NewID, random: c.Random, hash: newHasher(c), vault: c.Vault, url: c.URL}
}
