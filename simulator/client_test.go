package simulator_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/simulator"
)

// fixture is a simulator served on two real ports, with a clock that the test
// controls.
type fixture struct {
	t         testing.TB
	simulator *simulator.Simulator
	url       string
	control   string
	now       *testtool.Clock
}

// began is the initial time of the tests' clocks.
var began = time.Date(2027, 2, 1, 9, 0, 0, 0, time.UTC)

// open starts a simulator. By default it is polite and keeps everything in
// memory.
func open(t testing.TB, cfg simulator.Config) *fixture {
	t.Helper()
	h := &fixture{t: t, now: testtool.NewClock(began)}
	if cfg.Now == nil {
		cfg.Now = h.now.Now
	}
	sim, err := simulator.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	protocol, control := httptest.NewServer(sim.Handler()), httptest.NewServer(sim.Control())
	t.Cleanup(func() {
		protocol.Close()
		control.Close()
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	h.simulator, h.url, h.control = sim, protocol.URL, control.URL
	return h
}

// mustControl calls the control API and fails the test unless it succeeds.
func (h *fixture) mustControl(method, path, body string) []byte {
	h.t.Helper()
	status, text := h.callControl(method, path, body)
	if status/100 != 2 {
		h.t.Fatalf("control API: %s %s %s: status %d, want 2xx: %s", method, path, body, status, text)
	}
	return text
}

func (h *fixture) callControl(method, path, body string) (int, []byte) {
	h.t.Helper()
	request, err := http.NewRequest(method, h.control+path, bytes.NewReader([]byte(body)))
	if err != nil {
		h.t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return r.StatusCode, text
}

// device is an independent client of the authority. It knows only the HTTP
// protocol.
type device struct {
	fixture     *fixture
	environment string // sandbox, simulation, production
	unit        seal.Unit
	key         *seal.Key
	ccsid       csid
	pcsid       csid
	counter     int64
	previous    string
}

type csid struct {
	RequestID   json.Number `json:"requestID"`
	TokenType   *string     `json:"tokenType"`
	Disposition string      `json:"dispositionMessage"`
	Token       string      `json:"binarySecurityToken"`
	Secret      string      `json:"secret"`
}

var bases = map[string]string{
	"sandbox":    "/e-invoicing/developer-portal",
	"simulation": "/e-invoicing/simulation",
	"production": "/e-invoicing/core",
}

var serials atomic.Uint64 // seed of the next device

func (h *fixture) device(environment, types string) *device {
	h.t.Helper()
	n := serials.Add(1)
	key, err := seal.NewKey(sample.Seeded(n))
	if err != nil {
		h.t.Fatal(err)
	}
	seller := sample.Seller()
	return &device{
		fixture: h, environment: environment, key: key, previous: seal.GenesisHash,
		unit: seal.Unit{
			CommonName: "TST-1", Provider: "Khatm", Model: "1.0", Serial: newUUID(),
			VATNumber: seller.VATNumber, UnitName: "Riyadh", Organisation: "Sample",
			InvoiceType: types, Location: "RRRD2929", Industry: "Retail trade",
		},
	}
}

// random is seeded, so that all processes of a fuzz test generate the same
// values.
var random = struct {
	sync.Mutex
	io.Reader
}{Reader: sample.Seeded(1)}

func newUUID() string {
	var b [16]byte
	random.Lock()
	_, _ = io.ReadFull(random.Reader, b[:]) // never fails
	random.Unlock()
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// reply is a response of the simulator.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(r.body, v); err != nil {
		t.Fatalf("decode response %d %s: %v", r.status, r.body, err)
	}
}

// client does not follow redirects and has a long timeout.
var client = &http.Client{
	Timeout:       2 * time.Minute,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
}

func (d *device) send(method, path string, as csid, otp string, body any) (reply, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return reply{}, err
	}
	request, err := http.NewRequest(method, d.fixture.url+bases[d.environment]+path, bytes.NewReader(raw))
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Accept-Version", "V2")
	request.Header.Set("Content-Type", "application/json")
	if otp != "" {
		request.Header.Set("OTP", otp)
	}
	if as.Token != "" {
		request.SetBasicAuth(as.Token, as.Secret)
	}
	return do(request)
}

func do(request *http.Request) (reply, error) {
	r, err := client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	return reply{r.StatusCode, r.Header, text}, err
}

func (d *device) must(method, path string, as csid, otp string, body any) reply {
	d.fixture.t.Helper()
	r, err := d.send(method, path, as, otp, body)
	if err != nil {
		d.fixture.t.Fatalf("%s %s: %v", method, path, err)
	}
	return r
}

func (d *device) otp() string {
	d.fixture.t.Helper()
	otp, err := d.fixture.simulator.OneTimePassword(d.environment, d.unit.VATNumber)
	if err != nil {
		d.fixture.t.Fatal(err)
	}
	return otp
}

func (d *device) request() map[string]string {
	d.fixture.t.Helper()
	r, err := d.unit.Request(d.key, d.environment)
	if err != nil {
		d.fixture.t.Fatal(err)
	}
	return map[string]string{"csr": r.Body()}
}

// document is the request body of a check, a clearance or a report.
type document struct {
	Hash string `json:"invoiceHash"`
	UUID string `json:"uuid"`
	XML  string `json:"invoice"`
}

// seal creates the next document of the chain, signed with the certificate of a
// credential.
func (d *device) seal(f invoice.Facts, as csid) document {
	d.fixture.t.Helper()
	doc, hash, err := d.make(f, as, d.counter+1, d.previous)
	if err != nil {
		d.fixture.t.Fatal(err)
	}
	d.counter, d.previous = d.counter+1, hash
	return doc
}

func (d *device) make(f invoice.Facts, as csid, counter int64, previous string) (document, string, error) {
	certificate, err := seal.ParseCertificate([]byte(as.Token))
	if err != nil {
		return document{}, "", err
	}
	computed, err := invoice.Compute(f)
	if err != nil {
		return document{}, "", err
	}
	id := invoice.Identity{Number: "INV-" + newUUID()[:8], UUID: newUUID(), Counter: counter, PreviousHash: previous}
	inv, err := computed.UBL(id.At(d.fixture.now.Now()))
	if err != nil {
		return document{}, "", err
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		return document{}, "", err
	}
	sealed, err := unsigned.Stamp(d.key, certificate, d.fixture.now.Now())
	if err != nil {
		return document{}, "", err
	}
	return document{sealed.Hash, id.UUID, base64.StdEncoding.EncodeToString(sealed.XML)}, sealed.Hash, nil
}
