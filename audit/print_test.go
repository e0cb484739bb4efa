package audit_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/audit"
	"khatm/internal/testtool"
	"khatm/invoice"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGoldenReport(t *testing.T) {
	cases := map[string]func(p *planter){
		"clean": func(*planter) {},
		"broken": func(p *planter) {
			u := p.devices[1]
			u.documents = append(u.documents[:2:2], u.documents[3:]...)
			u.documents[0].QR = "AAAA"
			p.devices[2].reissue(3, func(id *invoice.Identity, _ *time.Time) { id.PreviousHash = otherHash })
			p.authority = append(p.authority, p.authority[0])
			p.clients = p.clients[:len(p.clients)-2]
			p.torn = `{"time`
			p.devices[0].Name = "Till\x1b[31m red"
		},
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			p := &planter{history: made(t, 4).clone()}
			change(p)
			var b strings.Builder
			if err := p.audited(t).Print(&b); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".golden")
			testtool.Golden(t, *update, path, []byte(b.String()))
			if strings.ContainsRune(b.String(), '\x1b') {
				t.Error("the report contains an escape character from a device name")
			}
		})
	}
}

func TestEveryInvariantHasWords(t *testing.T) {
	for _, i := range []audit.Invariant{
		audit.NothingLost, audit.CountersRun, audit.ChainHolds, audit.DocumentsVerify, audit.OneVersionSeen, audit.AcceptedOnce, audit.FirstVerdictStands, audit.EverythingAnswered, audit.FinalStatusStays, audit.UsageCounted, audit.TrailComplete, audit.NoNumberWasted, audit.Journal,
	} {
		if i.Promise() == "" || i.Remedy() == "" {
			t.Errorf("invariant %s has no promise or no remedy", i)
		}
	}
}

func TestBarDrawsOnlyWhatChanges(t *testing.T) {
	var b strings.Builder
	bar := audit.NewBar(&b)
	bar.End()
	if b.Len() > 0 {
		t.Errorf("End of a bar that was never shown wrote %q, want nothing", b.String())
	}
	for n := range int64(100_001) {
		bar.Show(n, 100_000)
	}
	if got := strings.Count(b.String(), "\r"); got != 1001 {
		t.Errorf("bar was drawn %d times, want 1001", got)
	}
	if !strings.HasSuffix(b.String(), "\r[##############################] 100%  100000 of 100000 documents") {
		t.Errorf("last drawing = %q, want a full bar", b.String()[b.Len()-80:])
	}
	bar.End()
	if !strings.HasSuffix(b.String(), "\r\x1b[K") {
		t.Error("End did not erase the bar")
	}
}
