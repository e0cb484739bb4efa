package database_test

import (
	"log/slog"
	"testing"
	"time"

	"khatm/service/internal/database"
	"khatm/service/internal/store/storetest"
)

// A role that may not call some functions of the server still gets an identity.
func TestIdentityWithoutRights(t *testing.T) {
	t.Parallel()
	c := database.Config{URL: storetest.Postgres(t).URL, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	db, err := database.Open(t.Context(), c, database.Serve)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	whole, err := db.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db.ForbidServerFacts()
	part, err := db.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if part == whole || part.Database == 0 || !part.Same(whole) {
		t.Errorf("identity without rights = %+v, want a part of %+v", part, whole)
	}
}
