package wire_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// rates sets the rate limits of an instance, starting from the defaults.
func rates(change func(*server.Rates)) func(*server.Config) {
	return func(c *server.Config) {
		c.Rates = server.Defaults().Rates
		if change != nil {
			change(&c.Rates)
		}
	}
}

func TestInterface_8_Defaults(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, rates(nil))
	person := h.Session(org.Admin, h.Org)
	for name, c := range map[string]struct {
		got  servicetest.Answer
		want string
	}{
		"a key":            {h.Call("GET", servicetest.UsagePath, ""), "200"},
		"a person":         {h.As(person, "GET", servicetest.UsagePath, ""), "200"},
		"anonymous":        {h.As("", "GET", servicetest.UsagePath, ""), "100"},
		"anonymous lookup": {h.As("", "GET", "/v1/api/plans/", ""), "100"},
	} {
		if got := servicetest.RateWindowOf(c.got).Limit; got != c.want {
			t.Errorf("%s: X-RateLimit-Limit = %s, want %s", name, got, c.want)
		}
	}
}

func TestInterface_8_HeadersOnEveryStatus(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		tag := h.Call("GET", "/v1/api/invoices/vat/", "").Header.Get("ETag")
		foreign := h.NewKey(h.Organisation("Free", "free"), org.Accountant)
		viewer := h.NewKey(h.Org, org.ViewInvoice)
		const limit = 1 << 30 // of the test server, for keys and for addresses
		used := map[string]int{h.Key: 1}
		cases := []struct {
			name, key, method, path string
			more                    func(*http.Request)
			want                    int
		}{
			{"success", h.Key, "GET", servicetest.UsagePath, nil, 200},
			{"not modified", h.Key, "GET", "/v1/api/invoices/vat/", servicetest.Header("If-None-Match", tag), 304},
			{"created", h.Key, "POST", "/v1/api/items/", servicetest.FormBody(t, servicetest.Part{Field: "item_data", Filename: "", Content: servicetest.GoodItem()}), 201},
			{"wrong input", h.Key, "GET", "/v1/api/items/?page=0", nil, 400},
			{"missing body", h.Key, "POST", "/v1/api/items/", nil, 400},
			{"no key", "", "GET", servicetest.UsagePath, nil, 401},
			{"a wrong key", "svc_wrong", "GET", servicetest.UsagePath, nil, 401},
			{"no permission", viewer, "POST", "/v1/api/items/", nil, 403},
			{"plan without API access", foreign, "GET", servicetest.UsagePath, nil, 403},
			{"unknown record", h.Key, "GET", "/v1/api/items/00000000-0000-4000-8000-000000000000/", nil, 404},
			{"unknown path", h.Key, "GET", "/v1/api/nothing/", nil, 404},
			{"unknown path without a key", "", "GET", "/v1/api/nothing/", nil, 404},
			{"wrong method", h.Key, "PUT", servicetest.UsagePath, nil, 405},
			{"a lookup", h.Key, "GET", "/v1/api/plans/", nil, 200},
		}
		for _, c := range cases {
			prepare := []func(*http.Request){servicetest.Bearer(c.key)}
			if c.more != nil {
				prepare = append(prepare, c.more)
			}
			got := h.Send(c.method, c.path, prepare...)
			subject := c.key
			if c.want == http.StatusUnauthorized || c.key == "" || c.name == "a lookup" {
				subject = "the address"
			}
			used[subject]++
			want := servicetest.RateWindow{Limit: strconv.Itoa(limit), Remaining: strconv.Itoa(limit - used[subject]), Reset: "60", Retry: ""}
			if got.Status != c.want || servicetest.RateWindowOf(got) != want {
				t.Errorf("%s: status %d, rate limit %+v; want %d, %+v", c.name, got.Status, servicetest.RateWindowOf(got), c.want, want)
			}
		}
	})
}

func TestInterface_8_BeyondTheWindow(t *testing.T) {
	servicetest.MostlySQLiteWith(t, func(c *server.Config) { c.Rates.Key = 3 }, beyondTheWindow)
}

func beyondTheWindow(t *testing.T, h *servicetest.Instance) {
	h.Clock.Advance(17*time.Second + 250*time.Millisecond)
	call := func() servicetest.Answer { return h.Call("GET", servicetest.UsagePath, "") }
	for _, remaining := range []string{"2", "1", "0"} {
		if got := call(); got.Status != 200 || servicetest.RateWindowOf(got) != (servicetest.RateWindow{Limit: "3", Remaining: remaining, Reset: "60", Retry: ""}) {
			t.Errorf("within the limit: status %d, rate limit %+v; want 200 with %s of 3 calls remaining", got.Status, servicetest.RateWindowOf(got), remaining)
		}
	}
	refused := func(left string) {
		t.Helper()
		got := call()
		want := `{"detail":"Request was throttled. Expected available in ` + left + ` seconds.","limit":3,"retry_after":` + left + `,"window":60}` + "\n"
		if got.Status != 429 || servicetest.Plain(got.Body) != want || servicetest.RateWindowOf(got) != (servicetest.RateWindow{Limit: "3", Remaining: "0", Reset: left, Retry: left}) || got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("beyond the limit: status %d, rate limit %+v, body %s; want %s", got.Status, servicetest.RateWindowOf(got), got.Body, want)
		}
	}
	refused("43") // 42.75 seconds, rounded up
	h.Clock.Advance(750 * time.Millisecond)
	refused("42")
	h.Clock.Advance(41*time.Second + 999*time.Millisecond)
	refused("1")
	h.Clock.Advance(time.Millisecond)
	if got := call(); got.Status != 200 || servicetest.RateWindowOf(got) != (servicetest.RateWindow{Limit: "3", Remaining: "2", Reset: "60", Retry: ""}) {
		t.Errorf("at the full minute: status %d, rate limit %+v; want 200 with 2 of 3 calls remaining", got.Status, servicetest.RateWindowOf(got))
	}
	h.Clock.Advance(59 * time.Second)
	if got := call(); servicetest.RateWindowOf(got).Remaining != "1" {
		t.Errorf("59 seconds later the window must be the same, rate limit %+v", servicetest.RateWindowOf(got))
	}
}

func TestInterface_8_AddressWindow(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, rates(nil))
	shows := []func(*http.Request){
		func(*http.Request) {}, servicetest.Bearer("svc_0000000_" + h.Key[12:]), servicetest.Bearer("no session"), servicetest.Cookie("no session"), servicetest.Header("Authorization", "Basic eA=="),
	}
	for i := range 100 {
		want := http.StatusUnauthorized
		path := servicetest.UsagePath
		if i%10 == 0 {
			path, want = "/v1/api/industries/", http.StatusOK
		}
		if got := h.Send("GET", path, shows[i%len(shows)]); got.Status != want || servicetest.RateWindowOf(got).Remaining != strconv.Itoa(99-i) {
			t.Fatalf("call %d of an address: status %d, rate limit %+v; want %d with %d calls remaining", i+1, got.Status, servicetest.RateWindowOf(got), want, 99-i)
		}
	}
	for _, show := range shows {
		for _, path := range []string{servicetest.UsagePath, "/v1/api/industries/", "/v1/nowhere/"} {
			got := h.Send("GET", path, show)
			if got.Status != http.StatusTooManyRequests || servicetest.RateWindowOf(got) != (servicetest.RateWindow{Limit: "100", Remaining: "0", Reset: "60", Retry: "60"}) {
				t.Errorf("%s beyond the limit of the address: status %d, rate limit %+v; want 429 with a limit of 100 and Retry-After 60", path, got.Status, servicetest.RateWindowOf(got))
			}
		}
	}
	if got := h.Call("GET", servicetest.UsagePath, ""); got.Status != http.StatusOK || servicetest.RateWindowOf(got).Limit != "200" {
		t.Errorf("call with a key from the same address: status %d, rate limit %+v; want 200 with a limit of 200", got.Status, servicetest.RateWindowOf(got))
	}
}

func TestInterface_8_PersonWindowIsSharedAcrossOrganisations(t *testing.T) {
	servicetest.MostlySQLiteWith(t, func(c *server.Config) { c.Rates.Person = 4 }, func(t *testing.T, h *servicetest.Instance) {
		second := h.Organisation("Second", "business")
		one, two := h.Session(org.Admin, h.Org, second), h.Session(org.Admin, h.Org)
		for i, step := range []struct {
			show      func(*http.Request)
			remaining string
		}{
			{servicetest.Both(servicetest.Bearer(one), servicetest.ActiveOrg(h.Org)), "3"},
			{servicetest.Both(servicetest.Cookie(one), servicetest.ActiveOrg(second)), "2"},
			{servicetest.Bearer(one), "1"}, // 409, and counted
			{servicetest.Bearer(two), "3"},
			{servicetest.Both(servicetest.Bearer(one), servicetest.ActiveOrg(second)), "0"},
		} {
			if got := h.Send("GET", servicetest.UsagePath, step.show); got.Status == 429 || servicetest.RateWindowOf(got).Remaining != step.remaining {
				t.Errorf("call %d: status %d, rate limit %+v; want %s left", i+1, got.Status, servicetest.RateWindowOf(got), step.remaining)
			}
		}
		if got := h.Send("GET", servicetest.UsagePath, servicetest.Bearer(one), servicetest.ActiveOrg(h.Org)); got.Status != 429 || servicetest.RateWindowOf(got).Limit != "4" {
			t.Errorf("fifth call of the person: status %d, rate limit %+v; want 429 with a limit of 4", got.Status, servicetest.RateWindowOf(got))
		}
	})
}
