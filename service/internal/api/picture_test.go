package api_test

import (
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/capacity"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// A picture that cannot be decoded in time is refused with its own code, and the
// client is not created.
func TestA5_PicturesWaitWithinBounds(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { server.MaxWait(c, 10*time.Millisecond) })
	limits := h.Service.Capacity()
	held, err := limits.Memory.Acquire(capacity.WithAddress(t.Context(), "192.0.2.1"), 1<<60)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := limits.Memory.Acquire(capacity.WithAddress(t.Context(), "192.0.2.2"), limits.Memory.Usage().Total-limits.Memory.Usage().Used)
	if err != nil {
		t.Fatal(err)
	}
	logo := servicetest.Part{Field: "file", Filename: "logo.png", Content: servicetest.APNG(t)}
	a := h.TryClient(servicetest.GoodClient(), logo)
	if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "5" || a.JSON(t)["code"] != "pictures_busy" {
		t.Errorf("status %d, Retry-After %q, body %s; want 503, 5 and the code pictures_busy", a.Status, a.Header.Get("Retry-After"), a.Body)
	}
	held.Release()
	rest.Release()
	h.AddClient(t, servicetest.GoodClient(), logo)
	servicetest.Same(t, "number of clients", h.Read(t, "/api/buyers/")["total"], any(servicetest.Number(1)))
}
