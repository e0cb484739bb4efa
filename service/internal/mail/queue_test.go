package mail_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/account"
	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/vault"
)

// queue is a real store with e-mails.
type queue struct {
	t      testing.TB
	config store.Config
	store  *store.Store
	clock  *storetest.Clock
	vault  *vault.Ring
	log    *testtool.Buffer
	by     org.Actor
	draft  uuid.UUID
}

// eachQueue runs a test on both database engines.
func eachQueue(t *testing.T, test func(t *testing.T, q *queue)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		clock := storetest.NewClock()
		c.Now = clock.Now
		q := &queue{t: t, config: c, store: storetest.Open(t, c), clock: clock, log: &testtool.Buffer{}}
		q.setUp()
		test(t, q)
	})
}

// setUp creates the organisation and the draft that e-mails belong to.
func (q *queue) setUp() {
	q.t.Helper()
	ctx := context.Background()
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	var err error
	q.vault, err = vault.Load(vault.Config{Keys: vault.NewSecret([]byte(base64.StdEncoding.EncodeToString(key))), Random: rand.Reader, Now: q.clock.Now})
	q.must(err)
	accounts := account.New(account.Config{Keeper: q.store, Now: q.clock.Now, NewID: q.config.NewID, Random: rand.Reader})
	o, err := accounts.AddOrganisation(ctx, org.Operator(org.Tenant{}, "test"), org.Organisation{
		Name: "Khatm", NameArabic: "ختم", VATNumber: "399999999900003", Identification: org.Identification{Type: "CRN", Value: "1010010000"},
		Address: org.Address{Street: "King Fahd Road", BuildingNumber: "1234", District: "Al Olaya", City: "Riyadh", PostalCode: "12345"}, Plan: "business",
	})
	q.must(err)
	q.by = org.Operator(org.TenantOf(o.ID), "test")
	q.draft = q.config.NewID()
	q.must(q.store.AddDraft(ctx, q.by, share.Draft{ID: q.draft, Version: 1, CreatedBy: "test", CreatedAt: q.clock.Now(), ChangedAt: q.clock.Now()}))
}

// put queues an e-mail that expires in ten minutes, and returns its ID.
func (q *queue) put(to string) uuid.UUID {
	q.t.Helper()
	now := q.clock.Now()
	l := mail.Letter{
		ID: q.config.NewID(), Of: q.by.Tenant, To: to, Language: "ar", About: "draft approval code",
		CreatedAt: now, Expires: now.Add(10 * time.Minute), State: mail.Queued, NextAt: now,
	}
	plain, err := json.Marshal(mail.Text{Subject: arabicSubject, Body: arabicBody})
	q.must(err)
	l.Sealed, err = q.vault.Seal(mail.Purpose, l.ID.String(), plain)
	q.must(err)
	q.enqueue(l)
	return l.ID
}

// enqueue queues an e-mail unchanged.
func (q *queue) enqueue(l mail.Letter) {
	q.t.Helper()
	_, err := q.store.ChangeDraft(context.Background(), q.by, q.draft, func(f *share.Folder) error {
		f.Letters = []mail.Letter{l}
		return nil
	})
	q.must(err)
}

// postman returns a Postman with the given transport, which may be nil.
func (q *queue) postman(by *mail.Transport) *mail.Postman {
	q.t.Helper()
	from, err := mail.ParseFrom("شركة ختم <invoices@example.sa>")
	q.must(err)
	return mail.New(mail.Config{
		Keeper: q.store, Transport: by, Vault: q.vault, From: from, Now: q.clock.Now,
		Log: slog.New(slog.NewJSONHandler(q.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
}

func (q *queue) to(o *mailtest.Server) *mail.Transport {
	return transportTo(q.t, o.URL(), o.Roots(), 0)
}

// letter reads an e-mail.
func (q *queue) letter(id uuid.UUID) mail.Letter {
	q.t.Helper()
	l, err := q.store.AnyLetter(context.Background(), id)
	q.must(err)
	return l
}

// wantState checks the state and the number of attempts of an e-mail.
func (q *queue) wantState(id uuid.UUID, state mail.State, attempts int) mail.Letter {
	q.t.Helper()
	l := q.letter(id)
	if l.State != state || l.Attempts != attempts {
		q.t.Errorf("e-mail to %s is %s after %d attempts (%s); want %s after %d", l.To, l.State, l.Attempts, l.Problem, state, attempts)
	}
	return l
}

func (q *queue) must(err error) {
	q.t.Helper()
	if err != nil {
		q.t.Fatal(err)
	}
}
