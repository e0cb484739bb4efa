package mail_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/store/storetest"
)

func TestPostmanDelivers(t *testing.T) {
	eachQueue(t, func(t *testing.T, q *queue) {
		server := mailtest.Open(t, mailtest.Config{Ways: []string{"PLAIN"}, User: "office", Password: "hunter2secret"})
		id := q.put("buyer@example.com")
		p := q.postman(q.to(server))
		q.must(p.Deliver(t.Context()))
		q.must(p.Deliver(t.Context()))

		l := q.wantState(id, mail.Sent, 1)
		if l.SentAt == nil || !l.SentAt.Equal(q.clock.Now()) || l.Sealed != nil || l.Problem != "" {
			t.Errorf("stored e-mail = %+v, want sent now, without text or problem", l)
		}
		taken := server.Taken()
		if len(taken) != 1 {
			t.Fatalf("%d e-mails arrived, want 1", len(taken))
		}
		got := taken[0].Read(t)
		if taken[0].To != "buyer@example.com" || got.Subject != arabicSubject || !strings.Contains(got.Text, "482913") {
			t.Errorf("e-mail to %s: %s\n%s\nwant one to buyer@example.com with the Arabic subject and the code", taken[0].To, got.Subject, got.Text)
		}
		if at := got.Header.Get("Date"); at != "Sun, 15 Nov 2026 12:00:00 +0300" {
			t.Errorf("Date is %s, want Sun, 15 Nov 2026 12:00:00 +0300", at)
		}
		if f := p.Figures(); f != (mail.Figures{Sent: 1}) {
			t.Errorf("Figures() = %+v, want 1 sent", f)
		}
	})
}

func TestPostmanTriesAgainUntilItIsTaken(t *testing.T) {
	eachQueue(t, func(t *testing.T, q *queue) {
		var busy atomic.Int32
		busy.Store(3)
		server := mailtest.Open(t, mailtest.Config{Judge: func(step, _ string) error {
			if step == "to" && busy.Add(-1) >= 0 {
				return mailtest.Refuse(451, "greylisted")
			}
			return nil
		}})
		id := q.put("buyer@example.com")
		p := q.postman(q.to(server))
		for n, wait := range []time.Duration{10 * time.Second, 20 * time.Second, 40 * time.Second} {
			q.must(p.Deliver(t.Context()))
			l := q.wantState(id, mail.Queued, n+1)
			if got := l.NextAt.Sub(q.clock.Now()); got != wait || !strings.Contains(l.Problem, "451 4.1.1 greylisted") {
				t.Errorf("after attempt %d: next attempt in %s, problem %s; want %s and greylisted", n+1, got, l.Problem, wait)
			}
			q.clock.Advance(wait - time.Millisecond)
			q.must(p.Deliver(t.Context()))
			q.wantState(id, mail.Queued, n+1)
			q.clock.Advance(time.Millisecond)
		}
		q.must(p.Deliver(t.Context()))
		q.wantState(id, mail.Sent, 4)
		if n := len(server.Taken()); n != 1 {
			t.Errorf("%d e-mails arrived, want 1", n)
		}
		if f := p.Figures(); f != (mail.Figures{Sent: 1, Failed: 3}) {
			t.Errorf("Figures() = %+v, want 1 sent and 3 failed", f)
		}
	})
}

func TestPostmanLetsOneBadLetterNotStopTheOthers(t *testing.T) {
	eachQueue(t, func(t *testing.T, q *queue) {
		server := mailtest.Open(t, mailtest.Config{Judge: func(step, to string) error {
			switch {
			case step == "to" && strings.HasPrefix(to, "nobody"):
				return mailtest.Refuse(550, "no such user "+to)
			case step == "message" && strings.HasPrefix(to, "spam"):
				return mailtest.Refuse(554, "482913 smells")
			}
			return nil
		}})
		nobody, spam, arabic := q.put("nobody@example.com"), q.put("spam@example.com"), q.put("مشتري@example.com")
		strange := mail.Letter{
			ID: q.config.NewID(), Of: q.by.Tenant, To: "strange@example.com", Language: "en", About: "x",
			CreatedAt: q.clock.Now(), Expires: q.clock.Now().Add(time.Hour), NextAt: q.clock.Now(),
		}
		var err error
		strange.Sealed, err = q.vault.Seal("another purpose", strange.ID.String(), []byte(`{"subject":"x","body":"y"}`))
		q.must(err)
		q.enqueue(strange)
		good := q.put("buyer@example.com")
		p := q.postman(q.to(server))
		q.must(p.Deliver(t.Context()))

		if l := q.wantState(nobody, mail.Refused, 1); !strings.Contains(l.Problem, "550 5.1.1 no such user nobody@example.com to the recipient") || l.Sealed != nil {
			t.Errorf("refused e-mail = %+v, want the problem of the recipient and no text", l)
		}
		if l := q.wantState(spam, mail.Refused, 1); !strings.Contains(l.Problem, "554") || strings.Contains(l.Problem, "482913") {
			t.Errorf("problem of a refused message is %q, want 554 without the code", l.Problem)
		}
		if l := q.wantState(arabic, mail.Refused, 1); !strings.Contains(l.Problem, "a character beyond ASCII") {
			t.Errorf("problem of an Arabic address is %q, want a character beyond ASCII", l.Problem)
		}
		if l := q.wantState(strange.ID, mail.Queued, 1); !strings.Contains(l.Problem, "altered") { // queued, because the right master key may be restored
			t.Errorf("problem of an e-mail that cannot be decrypted is %q", l.Problem)
		}
		q.wantState(good, mail.Sent, 1)
		if f := p.Figures(); f != (mail.Figures{Sent: 1, Refused: 3, Failed: 1}) {
			t.Errorf("Figures() = %+v, want 1 sent, 3 refused and 1 failed", f)
		}
		for _, secret := range []string{"482913", "nobody@", "smells", arabicSubject} {
			if strings.Contains(q.log.String(), secret) {
				t.Errorf("the log contains %s:\n%s", secret, q.log)
			}
		}
		if !strings.Contains(q.log.String(), nobody.String()) {
			t.Errorf("the log lacks the id of the e-mail:\n%s", q.log)
		}
	})
}

func TestPostmanWithoutAServerClaimsNothing(t *testing.T) {
	eachQueue(t, func(t *testing.T, q *queue) {
		id := q.put("buyer@example.com")
		p := q.postman(nil)
		q.must(p.Deliver(t.Context()))
		q.wantState(id, mail.Queued, 0)
		q.clock.Advance(10*time.Minute - time.Millisecond)
		q.must(p.Deliver(t.Context()))
		q.wantState(id, mail.Queued, 0)
		q.clock.Advance(time.Millisecond)
		q.must(p.Deliver(t.Context()))
		if l := q.wantState(id, mail.Expired, 0); l.Sealed != nil {
			t.Error("the text of an expired e-mail is still stored")
		}
	})
}

func TestPostmanTellsNoPassword(t *testing.T) {
	eachQueue(t, func(t *testing.T, q *queue) {
		server := mailtest.Open(t, mailtest.Config{Ways: []string{"LOGIN"}, User: "office", Password: "right"})
		url := strings.Replace(server.URL(), "right", "hunter2secret", 1)
		id := q.put("buyer@example.com")
		q.must(q.postman(transportTo(t, url, server.Roots(), 0)).Deliver(t.Context()))
		l := q.wantState(id, mail.Queued, 1)
		if !strings.Contains(l.Problem, "535") || strings.Contains(l.Problem+q.log.String(), "hunter2") {
			t.Errorf("problem %s must name 535, without the password in it or in the log:\n%s", l.Problem, q.log)
		}
	})
}

// TestPostmanSendsAgainWhatWasNotAnswered checks that an e-mail is sent again if
// the server closed the connection before its reply.
func TestPostmanSendsAgainWhatWasNotAnswered(t *testing.T) {
	eachQueue(t, func(t *testing.T, q *queue) {
		id := q.put("buyer@example.com")
		q.must(q.postman(transportTo(t, script{".": hangUp}.speak(t), nil, 0)).Deliver(t.Context()))
		q.wantState(id, mail.Queued, 1)
		q.clock.Advance(10 * time.Second)
		server := mailtest.Open(t, mailtest.Config{})
		q.must(q.postman(q.to(server)).Deliver(t.Context()))
		q.wantState(id, mail.Sent, 2)
		if got := server.Taken()[0].Read(t).Header.Get("Message-Id"); got != "<"+id.String()+"@example.sa>" {
			t.Errorf("Message-ID is %s, want the ID of the e-mail", got)
		}
	})
}

// TestPostmanTakesUpWhatACrashLeft checks that an e-mail claimed by a crashed
// process is sent after its lease.
func TestPostmanTakesUpWhatACrashLeft(t *testing.T) {
	eachQueue(t, func(t *testing.T, q *queue) {
		id := q.put("buyer@example.com")
		claimed, err := q.store.DueLetters(t.Context(), q.clock.Now(), 90*time.Second, 4)
		if err != nil || len(claimed) != 1 {
			t.Fatal(claimed, err)
		}
		server := mailtest.Open(t, mailtest.Config{})
		p := q.postman(q.to(server))
		q.must(p.Deliver(t.Context()))
		q.wantState(id, mail.Queued, 1)
		q.clock.Advance(90 * time.Second)
		q.must(p.Deliver(t.Context()))
		q.wantState(id, mail.Sent, 2)
	})
}

func TestPostmanHandsOverAFewAtATime(t *testing.T) {
	eachQueue(t, func(t *testing.T, q *queue) {
		var busy, busiest atomic.Int32
		all := make(chan struct{})
		var once sync.Once
		server := mailtest.Open(t, mailtest.Config{Judge: func(step, _ string) error {
			if step != "message" {
				return nil
			}
			defer busy.Add(-1)
			n := busy.Add(1)
			for most := busiest.Load(); n > most && !busiest.CompareAndSwap(most, n); most = busiest.Load() {
			}
			if n == 4 { // time for a fifth to appear
				once.Do(func() { time.AfterFunc(200*time.Millisecond, func() { close(all) }) })
			}
			<-all // the first four wait for each other
			return nil
		}})
		for n := range 11 {
			q.put(fmt.Sprintf("buyer%d@example.com", n))
		}
		q.must(q.postman(q.to(server)).Deliver(t.Context()))
		to := map[string]int{}
		for _, r := range server.Taken() {
			to[r.To]++
		}
		if len(to) != 11 || len(server.Taken()) != 11 || busiest.Load() != 4 {
			t.Errorf("%d e-mails to %d recipients, %d at a time; want 11, 11 and 4", len(server.Taken()), len(to), busiest.Load())
		}
	})
}

// TestPostmenOfTwoProcessesShareTheLetters checks that two processes on one
// database send each e-mail once.
func TestPostmenOfTwoProcessesShareTheLetters(t *testing.T) {
	c := storetest.Postgres(t)
	clock := storetest.NewClock()
	c.Now = clock.Now
	q := &queue{t: t, config: c, store: storetest.Open(t, c), clock: clock, log: &testtool.Buffer{}}
	q.setUp()
	other := *q
	other.store = storetest.Open(t, c)
	var busy atomic.Int32
	meet := make(chan struct{})
	server := mailtest.Open(t, mailtest.Config{Judge: func(step, _ string) error {
		if step == "message" {
			if busy.Add(1) == 5 { // more than one process can handle alone
				close(meet)
			}
			<-meet
		}
		return nil
	}})
	const letters = 60
	for n := range letters {
		q.put(fmt.Sprintf("buyer%d@example.com", n))
	}
	postmen := []*mail.Postman{q.postman(q.to(server)), other.postman(other.to(server))}
	failed := make([]error, 2)
	var both sync.WaitGroup
	for n, p := range postmen {
		both.Go(func() { failed[n] = p.Deliver(t.Context()) })
	}
	both.Wait()
	q.must(errors.Join(failed...))
	q.must(postmen[0].Deliver(t.Context()))
	to := map[string]int{}
	for _, r := range server.Taken() {
		to[r.To]++
	}
	if len(to) != letters || len(server.Taken()) != letters {
		t.Errorf("%d e-mails arrived for %d recipients, want %d", len(server.Taken()), len(to), letters)
	}
	a, b := postmen[0].Figures().Sent, postmen[1].Figures().Sent
	if a == 0 || b == 0 || a+b != letters {
		t.Errorf("the processes sent %d and %d e-mails, want both to send some", a, b)
	}
}

// TestPostmanFinishesWhenItIsStopped checks that a stop lets a session in
// progress finish and be recorded.
func TestPostmanFinishesWhenItIsStopped(t *testing.T) {
	eachQueue(t, func(t *testing.T, q *queue) {
		ctx, stop := context.WithCancel(t.Context())
		server := mailtest.Open(t, mailtest.Config{Judge: func(step, _ string) error {
			if step == "message" {
				stop()
			}
			return nil
		}})
		id := q.put("buyer@example.com")
		q.must(q.postman(q.to(server)).Deliver(ctx))
		q.wantState(id, mail.Sent, 1)
	})
}
