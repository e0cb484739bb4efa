package server_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/s3/s3test"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

// sharing returns settings of servers that share a database, but not the data folder.
func sharing(t *testing.T, location string) func(*server.Config) {
	t.Helper()
	database := storetest.Postgres(t).URL
	return func(c *server.Config) {
		c.Database, c.Blob = database, location
		c.MasterKey = server.NewSecret(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	}
}

func putLogo(h *servicetest.Instance, session, content string) servicetest.Answer {
	return h.Send(http.MethodPut, servicetest.LogoPath, servicetest.Bearer(session), servicetest.FormBody(h.TB, servicetest.Part{Field: "file", Filename: "logo", Content: content}))
}

func readLogo(h *servicetest.Instance, session string) servicetest.Answer {
	return h.As(session, http.MethodGet, servicetest.LogoPath, "")
}

// images counts the images in a PDF that the server draws with the logo.
func images(t *testing.T, h *servicetest.Instance, session string) int {
	t.Helper()
	a := h.As(session, http.MethodGet, servicetest.AgeingPath+"export/?format=pdf&language=en", "")
	if a.Status != http.StatusOK || !strings.HasPrefix(a.Body, "%PDF-") {
		t.Fatalf("PDF: %d %.200s", a.Status, a.Body)
	}
	return strings.Count(a.Body, "/Subtype/Image")
}

// A logo that is uploaded at one server is served and drawn by another one with its own
// data folder, until it is removed.
func TestServersShareUploadedFiles(t *testing.T) {
	shared := func(t *testing.T, location string) {
		settings := sharing(t, location)
		one := servicetest.Open(t, settings)
		other := servicetest.Unused(t, settings)
		session, stranger := one.Session(org.Admin, one.Org), one.Session(org.Admin, one.Organisation("Other", "business"))
		plain := images(t, other, session)
		putLogo(one, session, servicetest.APNG(t)).Wants(t, http.StatusOK)
		uploaded := readLogo(one, session)
		if got := readLogo(other, session); got.Status != http.StatusOK || got.Body != uploaded.Body || got.Header.Get("Content-Type") != "image/png" {
			t.Errorf("logo at the other server: %d %.100s, want the one that was uploaded", got.Status, got.Body)
		}
		if got := images(t, other, session); got <= plain {
			t.Errorf("the PDF has %d images, want more than %d", got, plain)
		}
		servicetest.NoLogo.Wants(t, "logo of another organisation", readLogo(other, stranger))
		if here, there := one.Pictures(t), other.Pictures(t); len(here)+len(there) > 0 {
			t.Errorf("files in the data folders = %q and %q, want none", here, there)
		}
		id := servicetest.IDOf(one.Upload(session, servicetest.ImportsPath, servicetest.ImportBody(t, "clients", "clients.csv", "buyer_name,business_type,industry,street,province_state\nAl Noor,B2C,OTHER,King Road,\n")).Wants(t, http.StatusAccepted))
		other.ImportIn(t, session, id, "checked")
		other.As(session, http.MethodDelete, servicetest.LogoPath, "").Wants(t, http.StatusOK)
		for _, h := range []*servicetest.Instance{one, other} {
			servicetest.NoLogo.Wants(t, "removed logo", readLogo(h, session))
			servicetest.Same(t, "images in the PDF", images(t, h, session), plain)
		}
		for _, h := range []*servicetest.Instance{one, other} {
			if strings.Contains(h.Log.String(), `"level":"ERROR"`) {
				t.Errorf("the log has errors:\n%s", h.Log.String())
			}
		}
	}
	t.Run("PostgreSQL", func(t *testing.T) { shared(t, "postgres") })
	t.Run("S3", func(t *testing.T) {
		s3 := s3test.Start(t)
		bucket := s3.Bucket(false)
		shared(t, s3.Address(bucket, ""))
		if keys := s3.Keys(bucket); len(keys) != 1 || !strings.Contains(keys[0], "/import/") {
			t.Errorf("objects = %q, want only the file of the import", keys)
		}
	})
}

// A server serves the files that are in its data folder, and moves them.
func TestUploadedFilesAreMoved(t *testing.T) {
	t.Parallel()
	settings := sharing(t, "")
	old := servicetest.Open(t, settings)
	session := old.Session(org.Admin, old.Org)
	putLogo(old, session, servicetest.APNG(t)).Wants(t, http.StatusOK)
	uploaded := readLogo(old, session)
	moved := servicetest.Unused(t, func(c *server.Config) {
		settings(c)
		c.Data, c.Blob = old.Data, "postgres"
	})
	servicetest.Same(t, "logo", readLogo(moved, session).Body, uploaded.Body)
	servicetest.Eventually(t, "the logo is moved", func() bool { return len(moved.Pictures(t)) == 0 })
	servicetest.Same(t, "logo", readLogo(moved, session).Body, uploaded.Body)
	// A server without the setting says why it has no pictures.
	if lost := servicetest.Unused(t, settings); !strings.Contains(lost.Log.String(), "set --blob postgres") {
		t.Error("the log does not say that files are in the database")
	}
}

// While S3 cannot be reached, uploads and pictures are answered with 503, and records
// stay as they are.
func TestOutageOfUploadedFiles(t *testing.T) {
	s3 := s3test.Start(t)
	h := servicetest.Open(t, func(c *server.Config) { c.Blob = s3.Address(s3.Bucket(false), "") })
	session := h.Session(org.Admin, h.Org)
	putLogo(h, session, servicetest.APNG(t)).Wants(t, http.StatusOK)
	before, uploaded := h.As(session, http.MethodGet, servicetest.CompanyPath, ""), readLogo(h, session)
	client := h.Client(h.Org, "Al Noor")
	s3.Kill()
	upload := func(path string) servicetest.Answer {
		return h.Send(http.MethodPut, path, servicetest.Bearer(session), servicetest.FormBody(t, servicetest.Part{Field: "file", Filename: "logo", Content: servicetest.AJPEG(t)}))
	}
	buyer := "/app/api/buyers/" + client.ID.String() + "/logo/"
	for name, a := range map[string]servicetest.Answer{"read": readLogo(h, session), "replace": upload(servicetest.LogoPath), "set": upload(buyer)} {
		if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" || !strings.Contains(a.Body, `"files_unavailable"`) {
			t.Errorf("%s: %d %s, want 503 with files_unavailable", name, a.Status, a.Body)
		}
	}
	servicetest.Same(t, "company", h.As(session, http.MethodGet, servicetest.CompanyPath, "").Body, before.Body)
	if a := h.Call(http.MethodGet, "/v1/api/buyers/"+client.ID.String()+"/logo/", ""); a.Status != http.StatusNotFound {
		t.Errorf("logo of the client: %d %s, want 404", a.Status, a.Body)
	}
	images(t, h, session) // without the logo
	s3.Restart()
	servicetest.Same(t, "logo", readLogo(h, session).Body, uploaded.Body)
}
