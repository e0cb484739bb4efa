package admin_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/service/admin"
	"khatm/service/internal/blob"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/s3/s3test"
	"khatm/service/internal/store/storetest"
)

// redirect sends every request to a test server, whatever its URL.
type redirect struct{ to *httptest.Server }

func (r redirect) RoundTrip(request *http.Request) (*http.Response, error) {
	to, err := url.Parse(r.to.URL)
	if err != nil {
		return nil, err
	}
	request = request.Clone(request.Context())
	request.URL.Scheme, request.URL.Host = to.Scheme, to.Host
	return http.DefaultTransport.RoundTrip(request)
}

// authority starts a test server that answers with a status and a Date header. It
// returns a client that sends every request there, and the path of the last
// request.
func authority(t *testing.T, status int, now func() time.Time) (client *http.Client, asked *string) {
	t.Helper()
	asked = new(string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = r.URL.Path
		w.Header().Set("Date", now().UTC().Format(http.TimeFormat))
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	return &http.Client{Transport: redirect{server}}, asked
}

// examine returns the findings of Examine by check.
func (d *installation) examine(client *http.Client) map[string]admin.Finding {
	d.t.Helper()
	found := map[string]admin.Finding{}
	admin.Examine(d.t.Context(), d.config, admin.Outside{Authority: "sandbox", Client: client}, func(f admin.Finding) {
		if _, twice := found[f.Check]; twice {
			d.t.Errorf("two findings for the check %q, want one", f.Check)
		}
		found[f.Check] = f
	})
	return found
}

func wantFinding(t *testing.T, f admin.Finding, level admin.Level, says string) {
	t.Helper()
	if f.Level != level || !strings.Contains(f.Says, says) {
		t.Errorf("finding for the check %q = %s %q, want %s %q", f.Check, f.Level, f.Says, level, says)
	}
}

func TestExamineHealthyInstallation(t *testing.T) {
	each(t, func(t *testing.T, d *installation) {
		d.config.Now = time.Now
		o := d.organisation("Khatm Trading")
		must[admin.IssuedKey](t)(d.CreateKey(t.Context(), o.ID.String(), "Till", "", nil))
		client, asked := authority(t, http.StatusUnauthorized, time.Now)
		found := d.examine(client)
		for check, f := range found {
			if f.Level != admin.OK || f.Do != "" {
				t.Errorf("finding for the check %q = %+v, want ok without advice", check, f)
			}
		}
		want := 15
		if d.config.Database != "" {
			want++ // the clock of the database
		}
		if len(found) != want {
			t.Errorf("number of checks = %d, want %d", len(found), want)
		}
		if *asked != "/e-invoicing/developer-portal" {
			t.Errorf("doctor requested %s, want /e-invoicing/developer-portal", *asked)
		}
	})
}

func TestExamineTheAuthority(t *testing.T) {
	now := func() time.Time { return storetest.Start }
	for _, c := range []struct {
		name   string
		status int
		ahead  time.Duration
		check  string
		level  admin.Level
		says   string
	}{
		{"authority answers", http.StatusNotFound, 0, "authority", admin.OK, "answers after"},
		{"authority has an error", http.StatusBadGateway, 0, "authority", admin.Warn, "answers 502"},
		{"clocks agree", http.StatusNotFound, 0, "clock", admin.OK, "behind the authority's"},
		{"clock is a little behind", http.StatusNotFound, 30 * time.Second, "clock", admin.Warn, "30.5s behind"},
		{"clock is far behind", http.StatusNotFound, 3 * time.Minute, "clock", admin.Fail, "3m0.5s behind"},
		{"clock is far ahead", http.StatusNotFound, -3 * time.Minute, "clock", admin.Fail, "2m59.5s ahead"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := install(t, storetest.SQLite(t))
			client, _ := authority(t, c.status, func() time.Time { return now().Add(c.ahead) })
			wantFinding(t, d.examine(client)[c.check], c.level, c.says)
		})
	}
	t.Run("authority is unreachable", func(t *testing.T) {
		d := install(t, storetest.SQLite(t))
		server := httptest.NewServer(http.NotFoundHandler())
		server.Close()
		f := d.examine(&http.Client{Transport: redirect{server}})["authority"]
		wantFinding(t, f, admin.Fail, "reach the authority")
		if !strings.Contains(f.Do, "https://gw-fatoora.zatca.gov.sa/") {
			t.Errorf("advice %q, want one with the URL of the authority", f.Do)
		}
	})
}

// The doctor asks the authority in the settings, or the simulator of the server.
func TestExamineTheConfiguredAuthority(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	t.Cleanup(server.Close)
	const simulation, core = "/e-invoicing/simulation", "/e-invoicing/core"
	for name, c := range map[string]struct {
		outside admin.Outside
		asked   string // empty if no authority is asked
		level   admin.Level
		says    string
	}{
		"a simulation elsewhere":       {admin.Outside{Authority: "simulation", AuthorityURL: server.URL + simulation}, simulation, admin.OK, "simulation (" + server.URL},
		"a URL without its path":       {admin.Outside{Authority: "simulation", AuthorityURL: server.URL}, "", admin.Fail, "it must be " + server.URL + simulation},
		"the path of another":          {admin.Outside{Authority: "production", AuthorityURL: server.URL + simulation}, "", admin.Fail, "it must be " + server.URL + core},
		"the simulator of a server":    {admin.Outside{Authority: "simulator", Simulator: server.URL + simulation}, simulation, admin.OK, "simulator (" + server.URL},
		"a separate simulator":         {admin.Outside{Authority: "simulator", AuthorityURL: server.URL + core, Simulator: "http://127.0.0.1:1" + simulation}, core, admin.OK, "simulator (" + server.URL},
		"a simulator that is not open": {admin.Outside{Authority: "simulator"}, "", admin.OK, "which is not running"},
	} {
		var found admin.Finding
		c.outside.Client = server.Client()
		admin.Examine(t.Context(), admin.Config{Data: t.TempDir(), Now: time.Now}, c.outside, func(f admin.Finding) {
			if f.Check == "authority" {
				found = f
			}
		})
		wantFinding(t, found, c.level, c.says)
		got := ""
		select {
		case got = <-asked:
		default:
		}
		if got != c.asked {
			t.Errorf("%s: the doctor asked %q, want %q", name, got, c.asked)
		}
	}
}

func TestExamineTheDatabaseClock(t *testing.T) {
	d := install(t, storetest.Postgres(t))
	client, _ := authority(t, http.StatusNotFound, time.Now)
	d.config.Now = func() time.Time { return time.Now().Add(-5 * time.Minute) }
	wantFinding(t, d.examine(client)["database clock"], admin.Fail, "behind the database's")
}

func TestExamineCertificates(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		name   string
		left   time.Duration
		parked bool
		level  admin.Level
		says   string
	}{
		{"valid for a year", 365 * day, false, admin.OK, "1 devices"},
		{"about to expire", 12 * day, false, admin.Warn, "till of Khatm Trading (12 days left)"},
		{"expired", -day, false, admin.Fail, "expired: till of Khatm Trading"},
		{"parked device", 365 * day, true, admin.Warn, "till of Khatm Trading (401)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := install(t, storetest.SQLite(t))
			o := d.organisation("Khatm Trading")
			now := d.clock.Now()
			err := d.store.AddDevice(t.Context(), org.Operator(of(o), "server"), device.Device{
				ID: d.config.NewID(), Environment: device.Sandbox, CommonName: "till", SerialNumber: "1-K|2-1|3-1", InvoiceType: device.Both,
				Status: device.PCSIDGenerated, Production: &device.Certificate{NotBefore: now.Add(-day), NotAfter: now.Add(c.left)},
				Parked: c.parked, ParkedWhy: "401", CreatedAt: now,
			})
			if err != nil {
				t.Fatal(err)
			}
			client, _ := authority(t, http.StatusNotFound, d.clock.Now)
			wantFinding(t, d.examine(client)["certificates"], c.level, c.says)
		})
	}
}

func TestExamineMasterKeyOfAnotherInstallation(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		d.seal(d.organisation("Khatm Trading"))
		client, _ := authority(t, http.StatusNotFound, d.clock.Now)
		wantFinding(t, d.examine(client)["master key"], admin.OK, "all 450 secrets can be decrypted")
		if err := os.Remove(filepath.Join(d.config.Data, "master.key")); err != nil {
			t.Fatal(err)
		}
		wantFinding(t, d.examine(client)["master key"], admin.Fail, "restore it from its copy")
		d.ring(true) // a new key instead
		wantFinding(t, d.examine(client)["master key"], admin.Fail, "this database is sealed with master key")
	})
}

// The doctor tries the location of uploaded files, and reports settings that lack it.
func TestExamineUploadedFiles(t *testing.T) {
	const check = "uploaded files"
	s3 := s3test.Start(t)
	client, _ := authority(t, http.StatusUnauthorized, time.Now)
	d := install(t, storetest.SQLite(t))
	d.config.Blob = s3.Address(s3.Bucket(false), "")
	wantFinding(t, d.examine(client)[check], admin.OK, "can be written and read")
	s3.Kill()
	wantFinding(t, d.examine(client)[check], admin.Fail, "cannot store or read files")
	d.config.Blob = blob.Postgres
	wantFinding(t, d.examine(client)[check], admin.Fail, "needs a PostgreSQL database")

	d = install(t, storetest.Postgres(t))
	d.config.Blob = blob.Postgres
	wantFinding(t, d.examine(client)[check], admin.OK, "in the database")
	uploads := must[blob.Store](t)(blob.OpenUploads(blob.Postgres, d.store.Files(), time.Now))
	if _, err := uploads.Put(t.Context(), "org/1/logo/2", strings.NewReader("x"), 1); err != nil {
		t.Fatal(err)
	}
	d.config.Blob = ""
	wantFinding(t, d.examine(client)[check], admin.Fail, "they are in the database")
}

// A logo that an operator sets is where the server looks for it.
func TestSetLogoInPostgres(t *testing.T) {
	t.Parallel()
	c := storetest.Postgres(t)
	d := install(t, c)
	o := d.organisation("Khatm Trading")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	d.config.Blob = blob.Postgres
	a := must[*admin.Admin](t)(admin.Open(t.Context(), d.config))
	t.Cleanup(a.Close)
	must[admin.Organisation](t)(a.SetLogo(t.Context(), o.ID.String(), logo(t, picture.Bytes())))
	if has := must[bool](t)(d.store.HasFiles(t.Context())); !has || len(kept(t, d)) > 0 {
		t.Errorf("files in the database: %t, in the folder: %q; want one in the database", has, kept(t, d))
	}
	if _, err := d.SetLogo(t.Context(), o.ID.String(), admin.Logo{}); err == nil || !strings.Contains(err.Error(), "--blob postgres") {
		t.Errorf("SetLogo without the location: %v, want an error that names --blob", err)
	}
	must[admin.Organisation](t)(a.SetLogo(t.Context(), o.ID.String(), admin.Logo{}))
	if has := must[bool](t)(d.store.HasFiles(t.Context())); has {
		t.Error("the removed logo is still in the database")
	}
}
