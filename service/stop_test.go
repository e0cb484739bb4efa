package service_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/listen/listentest"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// A server that gets SIGTERM under load answers every request, or refuses its
// connection when it is opened.
func TestR11_SIGTERMUnderLoad(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	h := servicetest.Open(t, func(c *server.Config) { c.Data = data })
	h.Service.Close() // the process opens the same folder
	rounds := testtool.Scale(1, 2, 20)
	var answered int64
	for range rounds {
		v := startProcess(t, data, "", "")
		request := "GET " + servicetest.UsagePath + " HTTP/1.1\r\nHost: khatm\r\nAuthorization: Bearer " + h.Key
		groups := []*listentest.Callers{
			{Address: v.address, Request: request, Keep: true},
			{Address: v.address, Request: request},
		}
		for _, one := range groups {
			one.Start(8)
		}
		for end := time.Now().Add(servicetest.Patience); groups[0].Answered.Load() < 100 || groups[1].Answered.Load() < 100; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the server does not answer")
			}
		}
		if err := v.process.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := v.process.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
		for _, one := range groups {
			if lost := one.Wait(); len(lost) > 0 {
				t.Errorf("with keep-alive %t, of %d requests, %d were neither answered nor refused, such as: %s", one.Keep, one.Answered.Load(), len(lost), lost[0])
			}
			answered += one.Answered.Load()
		}
	}
	servicetest.ReportScenario(t, "SIGTERM under load", fmt.Sprintf("%d rounds", rounds), 0, fmt.Sprintf("%d requests answered, none lost", answered))
}
