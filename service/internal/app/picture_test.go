package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// TestPictures_AreReplacedAndRemoved changes the pictures of a client and an item.
// Pictures that no record has any more are not kept.
func TestPictures_AreReplacedAndRemoved(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		seller := h.Session(org.CreateInvoice, h.Org)
		for _, c := range []struct {
			path, read, folder string
			missing            servicetest.Refusal
			shows              func(record servicetest.Record) int // number of pictures
		}{
			{"/api/buyers/{id}/logo/", "", "/logo/", servicetest.NoBuyer, func(r servicetest.Record) int {
				if r["logo_url"] == nil {
					return 0
				}
				return 1
			}},
			{"/api/items/{id}/images/", "1/", "/item/", servicetest.NoItem, func(r servicetest.Record) int {
				images, _ := r["images"].([]any)
				return len(images)
			}},
		} {
			id := h.Client(h.Org, "Al Noor").ID
			if c.folder == "/item/" {
				id = h.Item(h.Org, "Laptop 15 inch").ID
			}
			at := func(id uuid.UUID) string { return strings.Replace(c.path, "{id}", id.String(), 1) }
			put := func(session string, id uuid.UUID, content ...string) servicetest.Answer {
				var parts []servicetest.Part
				for _, one := range content {
					parts = append(parts, servicetest.Part{Field: "file", Filename: "picture", Content: one})
				}
				return h.Send(http.MethodPut, "/app"+at(id), servicetest.Bearer(session), servicetest.FormBody(t, parts...))
			}
			read := func() servicetest.Answer { return h.Call(http.MethodGet, "/v1"+at(id)+c.read, "") }

			servicetest.Same(t, c.path, c.shows(put(seller, id, servicetest.APNG(t)).Wants(t, http.StatusOK)), 1)
			first := h.Pictures(t)
			if got := read(); got.Status != http.StatusOK || got.Header.Get("Content-Type") != "image/png" {
				t.Errorf("%s: %d %s, want the PNG", c.path, got.Status, got.Header.Get("Content-Type"))
			}
			servicetest.Same(t, c.path, c.shows(put(seller, id, servicetest.AJPEG(t)).Wants(t, http.StatusOK)), 1)
			second := h.Pictures(t)
			if len(first) != 1 || len(second) != 1 || first[0] == second[0] || !strings.Contains(second[0], h.Org.ID.String()+c.folder) {
				t.Errorf("%s: stored files = %q, then %q, want one and then another one", c.path, first, second)
			}
			if got := read(); got.Header.Get("Content-Type") != "image/jpeg" {
				t.Errorf("%s: %d %s, want the JPEG", c.path, got.Status, got.Header.Get("Content-Type"))
			}

			// What is refused changes nothing and leaves no file.
			for _, content := range []string{"GIF89a", "<svg/>"} {
				if got := put(seller, id, content).Problems(t); len(got) != 1 {
					t.Errorf("%s: problems = %q, want one", c.path, got)
				}
			}
			if got := put(seller, id); got.Status != http.StatusBadRequest {
				t.Errorf("%s without a file: %d %s, want 400", c.path, got.Status, got.Body)
			}
			c.missing.Wants(t, c.path, put(seller, uuid.New(), servicetest.APNG(t)))
			other := h.Session(org.Admin, h.Organisation("Other "+c.folder, "business"))
			c.missing.Wants(t, c.path, put(other, id, servicetest.APNG(t)))
			c.missing.Wants(t, c.path, h.As(other, http.MethodDelete, "/app"+at(id), ""))
			servicetest.Same(t, c.path, h.Pictures(t), second)

			for range 2 {
				servicetest.Same(t, c.path, c.shows(h.As(seller, http.MethodDelete, "/app"+at(id), "").Wants(t, http.StatusOK)), 0)
			}
			servicetest.Same(t, c.path, len(h.Pictures(t)), 0)
			if got := read(); got.Status != http.StatusNotFound {
				t.Errorf("%s after removal: %d, want 404", c.path, got.Status)
			}
		}
	})
}

func TestPictures_SeveralOfAnItem(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		seller, path := h.Session(org.CreateInvoice, h.Org), "/app/api/items/"+h.Item(h.Org, "Laptop 15 inch").ID.String()+"/images/"
		put := func(n int) servicetest.Answer {
			var parts []servicetest.Part
			for range n {
				parts = append(parts, servicetest.Part{Field: "images", Filename: "picture", Content: servicetest.OnePixelPNG()})
			}
			return h.Send(http.MethodPut, path, servicetest.Bearer(seller), servicetest.FormBody(t, parts...))
		}
		for _, n := range []int{10, 2} {
			images, _ := put(n).Wants(t, http.StatusOK)["images"].([]any)
			servicetest.Same(t, "images", len(images), n)
			servicetest.Same(t, "stored files", len(h.Pictures(t)), n)
		}
		if got := put(11); got.Status != http.StatusBadRequest {
			t.Errorf("11 images: %d %s, want 400", got.Status, got.Body)
		}
		servicetest.Same(t, "stored files", len(h.Pictures(t)), 2)
	})
}
