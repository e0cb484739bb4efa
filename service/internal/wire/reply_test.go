package wire_test

import (
	"net/http"
	"slices"
	"testing"

	"khatm/money"
	"khatm/service/internal/wire"
)

func TestEncodeFile(t *testing.T) {
	t.Parallel()
	type tagged struct {
		wire.File `media:"text/csv"`
		Hash      string `header:"X-Hash"`
	}
	header, body, err := wire.Encode(&tagged{wire.File{Type: "text/csv", Name: "a b.csv", Bytes: []byte("x"), Inline: true}, "7"})
	if err != nil || string(body) != "x" {
		t.Fatal(string(body), err)
	}
	for name, want := range map[string]string{"Content-Type": "text/csv", "Content-Disposition": `inline; filename="a b.csv"`, "X-Hash": "7"} {
		if got := header[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if _, body, err = wire.Encode(&wire.File{Type: "image/png", Bytes: []byte("p")}); err != nil || string(body) != "p" {
		t.Error(string(body), err)
	}
}

// TestEncodeEitherJSONOrAFile checks a route that returns either JSON or a file.
func TestEncodeEitherJSONOrAFile(t *testing.T) {
	t.Parallel()
	type sum struct {
		Total money.Decimal `json:"total"`
	}
	type either struct {
		wire.File `media:"text/csv"`
		JSON      *sum   `instead:"json"`
		Maker     string `json:"-" header:"X-Maker"`
	}
	for _, c := range []struct {
		name        string
		out         either
		kind, saved string
		body        string
	}{
		{"file", either{File: wire.File{Type: "text/csv", Name: "a.csv", Bytes: []byte("x")}, Maker: "7"}, "text/csv", "attachment; filename=a.csv", "x"},
		{"JSON", either{JSON: &sum{money.MustParse("1.50")}, Maker: "7"}, "application/json", "", `{"total":"1.5"}`},
	} {
		header, body, err := wire.Encode(&c.out)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{http.Header(header).Get("Content-Type"), http.Header(header).Get("Content-Disposition"), http.Header(header).Get("X-Maker"), string(body)}
		if want := []string{c.kind, c.saved, "7", c.body}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}
}
