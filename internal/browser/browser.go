// Package browser controls Chromium in tests of web pages, over the pipe of its
// DevTools protocol. It records what the pages log and which addresses they
// request.
package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
)

// patience is how long the browser may take for one message.
const patience = 2 * time.Minute

// record is a JSON object of the protocol.
type record map[string]any

// Browser is a Chromium with one page.
type Browser struct {
	t       testing.TB
	to      *os.File
	from    *bufio.Reader
	pipe    *os.File // the file that from reads
	session string
	last    int
	events  []devtools
	said    []string // messages the browser logged
	asked   []string // URLs that its pages requested
}

// devtools is a message of the DevTools protocol.
type devtools struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Open starts a browser, or skips the test if Chromium is not installed.
func Open(t testing.TB) *Browser {
	t.Helper()
	program := testtool.Path(t, "chromium")
	hears, to := pipe(t)
	from, says := pipe(t)
	profile := t.TempDir()
	command := exec.Command(program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--hide-scrollbars", "--force-color-profile=srgb", "--disable-background-networking", "--disable-component-update",
		"--user-data-dir="+profile, "about:blank")
	command.Env = append(os.Environ(), "HOME="+profile)
	command.ExtraFiles = []*os.File{hears, says}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = hears.Close(), says.Close()
	b := &Browser{t: t, to: to, pipe: from, from: bufio.NewReaderSize(from, 1<<20)}
	t.Cleanup(func() {
		b.last++
		b.send(devtools{ID: b.last, Method: "Browser.close"})
		_ = command.Wait()
	})
	var made struct {
		TargetID string `json:"targetId"`
	}
	b.ask("Target.createTarget", record{"url": "about:blank"}, &made)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	b.ask("Target.attachToTarget", record{"targetId": made.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.ask(domain+".enable", record{}, nil)
	}
	return b
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r, w
}

func (b *Browser) send(m devtools) {
	b.t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(data, 0)); err != nil {
		b.t.Error(err)
	}
}

// hear reads a message and records what the browser logs.
func (b *Browser) hear() devtools {
	b.t.Helper()
	if err := b.pipe.SetReadDeadline(time.Now().Add(patience)); err != nil {
		b.t.Fatal(err)
	}
	data, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("no message from the browser: %v", err)
	}
	var m devtools
	if err := json.Unmarshal(data[:len(data)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	switch m.Method {
	case "Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled":
		b.said = append(b.said, string(m.Params))
	case "Network.requestWillBeSent":
		b.requested(m.Params)
	}
	return m
}

// requested records the address of a request.
func (b *Browser) requested(params json.RawMessage) {
	b.t.Helper()
	var sent struct {
		Request struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		b.t.Fatal(err)
	}
	b.asked = append(b.asked, sent.Request.URL)
}

// ask sends a command and reads its result.
func (b *Browser) ask(method string, params record, result any) {
	b.t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		b.t.Fatal(err)
	}
	b.last++
	b.send(devtools{ID: b.last, Session: b.session, Method: method, Params: raw})
	for {
		m := b.hear()
		if m.ID != b.last {
			b.events = append(b.events, m)
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// Loads runs do and waits until the resulting page has loaded.
func (b *Browser) Loads(do func()) {
	b.t.Helper()
	b.events = nil
	do()
	for {
		for _, m := range b.events {
			if m.Method == "Page.loadEventFired" {
				return
			}
		}
		b.events = []devtools{b.hear()}
	}
}

// Visit opens a URL.
func (b *Browser) Visit(address string) {
	b.t.Helper()
	b.Loads(func() { b.ask("Page.navigate", record{"url": address}, nil) })
}

// Width sets the size of the window and the colour scheme.
func (b *Browser) Width(pixels int, dark bool) {
	b.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.ask("Emulation.setDeviceMetricsOverride", record{"width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": pixels < 600}, nil)
	b.ask("Emulation.setEmulatedMedia", record{"features": []any{record{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// JS evaluates an expression in the page.
func (b *Browser) JS(expression string) string {
	b.t.Helper()
	var got struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	b.ask("Runtime.evaluate", record{"expression": expression, "returnByValue": true}, &got)
	if got.Exception != nil {
		b.t.Fatalf("%s: %s", expression, got.Exception.Text)
	}
	return fmt.Sprint(got.Result.Value)
}

// Text returns the visible text of an element, or "" if the page does not have it.
func (b *Browser) Text(selector string) string {
	b.t.Helper()
	return b.JS(fmt.Sprintf(`(document.querySelector(%q) || {innerText: ""}).innerText`, selector))
}

// Press clicks in the middle of an element.
func (b *Browser) Press(selector string) {
	b.t.Helper()
	where := b.JS(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect();
		return (r.left + r.width / 2) + " " + (r.top + r.height / 2) })()`, selector))
	var x, y float64
	if _, err := fmt.Sscan(where, &x, &y); err != nil {
		b.t.Fatalf("position of %s: cannot read %q: %v", selector, where, err)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.ask("Input.dispatchMouseEvent", record{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
	}
}

// Write types into a field.
func (b *Browser) Write(selector, text string) {
	b.t.Helper()
	b.Press(selector)
	b.ask("Input.insertText", record{"text": text}, nil)
}

// Seen returns a screenshot of the whole page.
func (b *Browser) Seen() []byte {
	b.t.Helper()
	var got struct {
		Data []byte `json:"data"` // base64
	}
	b.ask("Page.captureScreenshot", record{"format": "png", "captureBeyondViewport": true, "clip": b.whole()}, &got)
	return got.Data
}

// Picture saves a screenshot if KHATM_PICTURES names a folder.
func (b *Browser) Picture(name string) {
	b.t.Helper()
	if os.Getenv("KHATM_PICTURES") != "" {
		b.keep(name+".png", b.Seen())
	}
}

func (b *Browser) keep(name string, data []byte) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(os.Getenv("KHATM_PICTURES"), name), data, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// Scanned returns the QR code read from a screenshot, or "" if there is no
// scanner.
func (b *Browser) Scanned() string {
	b.t.Helper()
	scanner, err := testtool.Find("zbarimg")
	if err != nil {
		return ""
	}
	file := filepath.Join(b.t.TempDir(), "screen.png")
	if err := os.WriteFile(file, b.Seen(), 0o600); err != nil {
		b.t.Fatal(err)
	}
	text, err := exec.Command(scanner, "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file).Output() // zbarimg would also find bar codes in plain text
	if err != nil {
		b.t.Fatalf("zbarimg finds no code: %v", err)
	}
	return strings.TrimSpace(string(text))
}

// Printed prints the page to PDF, saves it if KHATM_PICTURES is set, and returns
// the number of pages.
func (b *Browser) Printed(name string) int {
	b.t.Helper()
	var got struct {
		Data []byte `json:"data"` // base64
	}
	b.ask("Page.printToPDF", record{"preferCSSPageSize": true, "paperWidth": 8.27, "paperHeight": 11.69}, &got)
	if os.Getenv("KHATM_PICTURES") != "" {
		b.keep(name+".pdf", got.Data)
	}
	return strings.Count(string(got.Data), "/Type /Page\n")
}

// whole returns the area of the whole page.
func (b *Browser) whole() record {
	b.t.Helper()
	var got struct {
		Size struct {
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
		} `json:"cssContentSize"`
	}
	b.ask("Page.getLayoutMetrics", record{}, &got)
	return record{"x": 0, "y": 0, "width": got.Size.Width, "height": got.Size.Height, "scale": 1}
}

// Quiet checks that the browser logged nothing.
func (b *Browser) Quiet() {
	b.t.Helper()
	if len(b.said) > 0 {
		b.t.Errorf("the browser logged: %s", strings.Join(b.said, "\n"))
	}
}

// Complained checks that the browser logged exactly one message with these
// words, and clears it.
func (b *Browser) Complained(words string) {
	b.t.Helper()
	if len(b.said) != 1 || !strings.Contains(b.said[0], words) {
		b.t.Errorf("the browser logged %s, want only %q", b.said, words)
	}
	b.said = nil
}

// Stayed checks that every request went to the given origin, and that there was
// one.
func (b *Browser) Stayed(origin string) {
	b.t.Helper()
	for _, address := range b.asked {
		if !strings.HasPrefix(address, origin+"/") && address != "about:blank" {
			b.t.Errorf("a page requested %s, want only addresses of %s", address, origin)
		}
	}
	if len(b.asked) == 0 {
		b.t.Error("no page requested anything")
	}
}
