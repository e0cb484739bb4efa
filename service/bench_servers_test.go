package service_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// ticksOf returns fields of /proc/PID/stat after the name, or nil if the process has
// ended.
func ticksOf(pid string) []string {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return nil
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return strings.Fields(after)
}

// postgresCPU returns the CPU time of the PostgreSQL server, with all its processes.
func postgresCPU(t *testing.T, database string) time.Duration {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // only read
	var pid int
	if err := conn.QueryRow(t.Context(), `SELECT pg_backend_pid()`).Scan(&pid); err != nil {
		t.Fatal(err)
	}
	own := ticksOf(strconv.Itoa(pid))
	if own == nil {
		t.Skip("the CPU time of another process is not available on this system")
	}
	const parent, user, system, endedUser, endedSystem = 1, 11, 12, 13, 14
	postmaster := own[parent]
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	ticks := 0
	add := func(fields []string, at ...int) {
		for _, i := range at {
			n, _ := strconv.Atoi(fields[i])
			ticks += n
		}
	}
	for _, process := range processes {
		fields := ticksOf(filepath.Base(process))
		switch {
		case fields == nil:
		case filepath.Base(process) == postmaster:
			add(fields, user, system, endedUser, endedSystem)
		case fields[parent] == postmaster:
			add(fields, user, system)
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// TestBenchServersTogether compares the CPU time of creating an invoice with one and
// with three servers on one PostgreSQL database, PostgreSQL included: three that have
// twenty callers each, like the one, and three that share twenty callers. These write
// smaller batches, because a batch contains at most one document of each caller of its
// server. The three loads take turns.
func TestBenchServersTogether(t *testing.T) {
	benchmarking(t)
	b := newLoaded(t, servicetest.Databases["PostgreSQL"](t))
	type load struct{ servers, callers int }
	few, one, three := load{3, 20}, load{1, 20}, load{3, 60}
	costs := map[load][]time.Duration{}
	for range 5 {
		for _, l := range []load{few, one, three} {
			var servers []*process
			for range l.servers {
				servers = append(servers, startProcess(t, b.data, b.database, ""))
			}
			creates := func(all int) int {
				return b.callers(l.callers, all/l.callers, func(client *http.Client, w int) bool {
					return b.create(client, servers[w%l.servers].address, b.devices[w%len(b.devices)])
				})
			}
			cpu := func() time.Duration {
				all := postgresCPU(t, b.database)
				for _, v := range servers {
					all += v.cpu(t)
				}
				return all
			}
			creates(300)
			before := cpu()
			count := creates(2400)
			cost := (cpu() - before) / time.Duration(count)
			costs[l] = append(costs[l], cost)
			t.Logf("%d servers, %d callers: %s of CPU for a create", l.servers, l.callers, cost)
			for _, v := range servers {
				v.kill()
			}
		}
	}
	for _, all := range costs {
		slices.Sort(all)
	}
	const limit = 1.15
	for l, what := range map[load]string{three: "with three servers of twenty callers each", few: "with three servers that share twenty callers"} {
		ratio := float64(costs[l][2]) / float64(costs[one][2])
		t.Logf("a create costs %.2f %s, relative to one server (at most %.2f)", ratio, what, limit)
		if ratio > limit {
			t.Errorf("a create costs %.2f times as much %s, want at most %.2f", ratio, what, limit)
		}
	}
}

// TestBenchDrainOfTwoServers compares how fast one server and two servers send
// documents to an authority that takes a second to answer.
func TestBenchDrainOfTwoServers(t *testing.T) {
	benchmarking(t)
	const documents, latency = 3000, time.Second
	took := map[int]time.Duration{}
	for _, n := range []int{1, 2} {
		sim := steady(t, latency)
		var data, database string
		s := sim.Open(t, func(c *server.Config) {
			servicetest.Engines()[1].Set(t, c)
			data, database, c.AuthorityURL, c.Log = c.Data, c.Database, "", servicetest.Quiet()
		})
		if err := s.Service.Store().Subscribe(t.Context(), s.Operator(s.Org), "enterprise"); err != nil {
			t.Fatal(err)
		}
		manyAtOnce(s.OnboardedSeller(), documents)
		var servers []*process
		began := time.Now()
		for range n {
			servers = append(servers, startProcess(t, data, database, "", "KHATM_TEST_SERVER_AUTHORITY="+sim.URL, "KHATM_TEST_SERVER_SENDING=usual"))
		}
		for ; ; time.Sleep(100 * time.Millisecond) {
			backlog, err := s.Service.Store().Backlog(t.Context(), time.Now())
			if err != nil {
				t.Fatal(err)
			}
			if backlog.Oldest.IsZero() {
				break
			}
		}
		took[n] = time.Since(began)
		t.Logf("%d servers: %d documents in %s", n, documents, took[n])
		for _, v := range servers {
			v.kill()
		}
	}
	ratio := took[1].Seconds() / took[2].Seconds()
	const limit = 1.5
	t.Logf("two servers send %.2f times as fast as one (at least %.1f)", ratio, limit)
	if ratio < limit {
		t.Errorf("two servers send %.2f times as fast as one, want at least %.1f", ratio, limit)
	}
}
