package service_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

// rates changes the limits of a house that starts with those of the interface.
func rates(change func(*server.Rates)) func(*server.Config) {
	return func(c *server.Config) {
		c.Rates = server.Defaults().Rates
		if change != nil {
			change(&c.Rates)
		}
	}
}

// window is what the headers tell.
type window struct{ limit, remaining, reset, retry string }

func windowOf(a answer) window {
	h := a.header
	return window{h.Get("X-RateLimit-Limit"), h.Get("X-RateLimit-Remaining"), h.Get("X-RateLimit-Reset"), h.Get("Retry-After")}
}

func TestInterface_8_Defaults(t *testing.T) {
	h := open(t, rates(nil))
	person := h.session(org.Admin, h.org)
	for name, c := range map[string]struct {
		got  answer
		want string
	}{
		"a key":            {h.call("GET", usagePath, ""), "200"},
		"a person":         {h.as(person, "GET", usagePath, ""), "200"},
		"nobody":           {h.as("", "GET", usagePath, ""), "100"},
		"nobody, a lookup": {h.as("", "GET", "/v1/api/plans/", ""), "100"},
	} {
		if got := windowOf(c.got).limit; got != c.want {
			t.Errorf("%s: the limit is %s, want %s", name, got, c.want)
		}
	}
}

func TestInterface_8_HeadersOnEveryStatus(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		tag := h.call("GET", "/v1/api/invoices/vat/", "").header.Get("ETag")
		foreign := h.newKey(h.organisation("Free", "free"), org.Accountant)
		viewer := h.newKey(h.org, org.ViewInvoice)
		const limit = 1 << 30 // of the kit, for keys and for addresses
		used := map[string]int{h.key: 1}
		cases := []struct {
			name, key, method, path string
			more                    func(*http.Request)
			want                    int
		}{
			{"success", h.key, "GET", usagePath, nil, 200},
			{"nothing new", h.key, "GET", "/v1/api/invoices/vat/", header("If-None-Match", tag), 304},
			{"created", h.key, "POST", "/v1/api/items/", formBody(t, part{"item_data", "", goodItem()}), 201},
			{"wrong input", h.key, "GET", "/v1/api/items/?page=0", nil, 400},
			{"a body that is none", h.key, "POST", "/v1/api/items/", nil, 400},
			{"no key", "", "GET", usagePath, nil, 401},
			{"a wrong key", "svc_wrong", "GET", usagePath, nil, 401},
			{"no right", viewer, "POST", "/v1/api/items/", nil, 403},
			{"no plan", foreign, "GET", usagePath, nil, 403},
			{"no record", h.key, "GET", "/v1/api/items/00000000-0000-4000-8000-000000000000/", nil, 404},
			{"no path", h.key, "GET", "/v1/api/nothing/", nil, 404},
			{"no path and no key", "", "GET", "/v1/api/nothing/", nil, 404},
			{"no method", h.key, "PUT", usagePath, nil, 405},
			{"a lookup", h.key, "GET", "/v1/api/plans/", nil, 200},
		}
		for _, c := range cases {
			prepare := []func(*http.Request){bearer(c.key)}
			if c.more != nil {
				prepare = append(prepare, c.more)
			}
			got := h.send(c.method, c.path, prepare...)
			subject := c.key
			if c.want == http.StatusUnauthorized || c.key == "" || c.name == "a lookup" {
				subject = "the address"
			}
			used[subject]++
			want := window{strconv.Itoa(limit), strconv.Itoa(limit - used[subject]), "60", ""}
			if got.status != c.want || windowOf(got) != want {
				t.Errorf("%s: got %d %+v, want %d %+v", c.name, got.status, windowOf(got), c.want, want)
			}
		}
	})
}

func TestInterface_8_BeyondTheWindow(t *testing.T) {
	eachWith(t, func(c *server.Config) { c.Rates.Key = 3 }, beyondTheWindow)
}

func beyondTheWindow(t *testing.T, h *house) {
	h.clock.Advance(17*time.Second + 250*time.Millisecond)
	call := func() answer { return h.call("GET", usagePath, "") }
	for _, remaining := range []string{"2", "1", "0"} {
		if got := call(); got.status != 200 || windowOf(got) != (window{"3", remaining, "60", ""}) {
			t.Errorf("within: got %d %+v", got.status, windowOf(got))
		}
	}
	refused := func(left string) {
		t.Helper()
		got := call()
		want := `{"detail":"Request was throttled. Expected available in ` + left + ` seconds.","limit":3,"retry_after":` + left + `,"window":60}` + "\n"
		if got.status != 429 || got.body != want || windowOf(got) != (window{"3", "0", left, left}) || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("beyond: got %d %+v %s, want %s", got.status, windowOf(got), got.body, want)
		}
	}
	refused("43") // 42.75 seconds, rounded up: who waits so long is let in
	h.clock.Advance(750 * time.Millisecond)
	refused("42")
	h.clock.Advance(41*time.Second + 999*time.Millisecond)
	refused("1")
	h.clock.Advance(time.Millisecond)
	if got := call(); got.status != 200 || windowOf(got) != (window{"3", "2", "60", ""}) {
		t.Errorf("at the full minute: got %d %+v", got.status, windowOf(got))
	}
	h.clock.Advance(59 * time.Second)
	if got := call(); windowOf(got).remaining != "1" {
		t.Errorf("59 seconds later it is another window: %+v", windowOf(got))
	}
}

func TestInterface_8_AddressWindow(t *testing.T) {
	h := open(t, rates(nil))
	shows := []func(*http.Request){
		func(*http.Request) {}, bearer("svc_0000000_" + h.key[12:]), bearer("no session"), cookie("no session"), header("Authorization", "Basic eA=="),
	}
	for i := range 100 {
		want := http.StatusUnauthorized
		path := usagePath
		if i%10 == 0 {
			path, want = "/v1/api/industries/", http.StatusOK
		}
		if got := h.send("GET", path, shows[i%len(shows)]); got.status != want || windowOf(got).remaining != strconv.Itoa(99-i) {
			t.Fatalf("call %d: got %d %+v", i+1, got.status, windowOf(got))
		}
	}
	for _, show := range shows {
		for _, path := range []string{usagePath, "/v1/api/industries/", "/v1/nowhere/"} {
			got := h.send("GET", path, show)
			if got.status != http.StatusTooManyRequests || windowOf(got) != (window{"100", "0", "60", "60"}) {
				t.Errorf("%s: got %d %+v", path, got.status, windowOf(got))
			}
		}
	}
	if got := h.call("GET", usagePath, ""); got.status != http.StatusOK || windowOf(got).limit != "200" {
		t.Errorf("a key at the same address: got %d %+v", got.status, windowOf(got))
	}
}

func TestInterface_8_PersonWindowIsSharedAcrossOrganisations(t *testing.T) {
	eachWith(t, func(c *server.Config) { c.Rates.Person = 4 }, func(t *testing.T, h *house) {
		second := h.organisation("Second", "business")
		one, two := h.session(org.Admin, h.org, second), h.session(org.Admin, h.org)
		for i, step := range []struct {
			show      func(*http.Request)
			remaining string
		}{
			{both(bearer(one), activeOrg(h.org)), "3"},
			{both(cookie(one), activeOrg(second)), "2"},
			{bearer(one), "1"}, // 409, and counted
			{bearer(two), "3"},
			{both(bearer(one), activeOrg(second)), "0"},
		} {
			if got := h.send("GET", usagePath, step.show); got.status == 429 || windowOf(got).remaining != step.remaining {
				t.Errorf("call %d: got %d %+v, want %s left", i+1, got.status, windowOf(got), step.remaining)
			}
		}
		if got := h.send("GET", usagePath, bearer(one), activeOrg(h.org)); got.status != 429 || windowOf(got).limit != "4" {
			t.Errorf("the fifth call: got %d %+v", got.status, windowOf(got))
		}
	})
}
