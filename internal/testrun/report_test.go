package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRun checks the report of go test for packages whose tests end in different ways.
func TestRun(t *testing.T) {
	cases := []struct {
		name, body string
		status     int
		want       []string // parts of the report, in order
		without    []string // what the report must not contain
	}{
		{
			"passing", `
func TestQuick(t *testing.T) { t.Log("quick words") }
func TestSlow(t *testing.T) { time.Sleep(20 * time.Millisecond) }
func TestSub(t *testing.T) { t.Run("part", func(t *testing.T) {}) }
func TestSkipped(t *testing.T) { t.Skip("no reason") }`,
			0,
			[]string{"ok  \tsample\t", "slowest tests:\n", "s  sample  TestSlow\n", "s  sample  TestQuick\n", "s  sample  TestSub\n"},
			[]string{"quick words", "no reason", "TestSkipped", "PASS", "=== ", "TestSub/part"},
		},
		{
			"failing", `
func TestGood(t *testing.T) { t.Log("good words") }
func TestParts(t *testing.T) {
	t.Run("right", func(t *testing.T) { t.Log("right words") })
	t.Run("wrong", func(t *testing.T) { println("wrong print"); t.Error("wrong words") })
}`,
			1,
			[]string{"wrong print", "wrong words", "--- FAIL: TestParts/wrong", "--- FAIL: TestParts (", "FAIL\tsample\t", "slowest tests:", "TestParts\n"},
			[]string{"good words", "right words", "=== "},
		},
		{
			"panicking", `
func TestGood(t *testing.T) { t.Log("good words") }
func TestPanic(t *testing.T) { panic("out of order") }`,
			1,
			[]string{"panic: out of order", "sample_test.go:", "FAIL\tsample\t"},
			[]string{"good words"},
		},
		{
			"exiting", `
func TestGood(t *testing.T) { t.Log("good words") }
func TestMain(m *testing.M) { m.Run(); println("words at the end"); os.Exit(3) }`,
			1,
			[]string{"good words", "words at the end", "FAIL\tsample\t"},
			nil,
		},
		{
			"hanging", `
func TestGood(t *testing.T) { t.Log("good words") }
func TestHang(t *testing.T) { t.Log("before"); select {} }
func TestMain(m *testing.M) { go func() { for { time.Sleep(time.Hour) } }(); os.Exit(m.Run()) }`,
			1,
			[]string{"before", "panic: test timed out after 2s", "running tests:", "TestHang", "FAIL\tsample\t"},
			[]string{"good words"},
		},
		{
			"unbuildable", `
func TestGood(t *testing.T) { undefinedName() }`,
			1,
			[]string{"undefined: undefinedName", "FAIL\tsample [build failed]"},
			[]string{"slowest tests:"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			timeout := time.Minute
			if c.name == "hanging" {
				timeout = 2 * time.Second
			}
			status, got := runSample(t, c.body, timeout)
			if status != c.status {
				t.Errorf("exit status %d, want %d", status, c.status)
			}
			rest := got
			for _, part := range c.want {
				_, after, found := strings.Cut(rest, part)
				if !found {
					t.Fatalf("the report lacks %q, or contains it in another order:\n%s", part, got)
				}
				rest = after
			}
			for _, part := range c.without {
				if strings.Contains(got, part) {
					t.Errorf("the report contains %q, want a report without it:\n%s", part, got)
				}
			}
		})
	}
}

// runSample runs go test on a module with the given tests and returns its exit status
// and the report.
func runSample(t *testing.T, body string, timeout time.Duration) (status int, report string) {
	t.Helper()
	dir := t.TempDir()
	writeSample(t, dir, body)
	command := exec.Command("go", testArguments(timeout, []string{"-count=1", "./..."})...)
	command.Dir = dir
	var out bytes.Buffer
	status, _, err := run(command, &out)
	if err != nil {
		t.Fatal(err)
	}
	return status, out.String()
}

// writeSample writes a module with the given tests.
func writeSample(t *testing.T, dir, body string) {
	t.Helper()
	head := "package sample\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar (\n\t_ = os.Exit\n\t_ time.Time\n)\n"
	for name, text := range map[string]string{"go.mod": "module sample\n\ngo 1.26\n", "sample_test.go": head + body + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunWithoutGo(t *testing.T) {
	status, _, err := run(exec.Command(filepath.Join(t.TempDir(), "go")), &bytes.Buffer{})
	if status == 0 || err == nil {
		t.Errorf("status %d, error %v; want a failure", status, err)
	}
}

func TestReport(t *testing.T) {
	cases := []struct{ name, events, want string }{
		{
			"text that is not an event is copied",
			"go: warning: matched no packages\n",
			"go: warning: matched no packages\n",
		},
		{
			"a cached package is marked",
			`{"Action":"pass","Package":"a","Test":"TestA","Elapsed":2}
{"Action":"output","Package":"a","Output":"ok  \ta\t(cached)\n"}
{"Action":"pass","Package":"a"}`,
			"ok  \ta\t(cached)\nslowest tests:\n    2.00s  a  TestA  (cached)\n",
		},
		{
			"an interrupted run",
			`{"Action":"output","Package":"a","Test":"TestA","Output":"half done\n"}
{"Action":"output","Package":"b","Output":"ok  \tb\t1.0s\n"}
{"Action":"pass","Package":"b"}`,
			"ok  \tb\t1.0s\nhalf done\n",
		},
		{
			"parallel subtests count",
			`{"Action":"pass","Package":"a","Test":"TestA/x/1","Elapsed":2}
{"Action":"pass","Package":"a","Test":"TestA/x/2","Elapsed":3}
{"Action":"pass","Package":"a","Test":"TestA/x","Elapsed":0.5}
{"Action":"pass","Package":"a","Test":"TestA/y/z","Elapsed":1}
{"Action":"pass","Package":"a","Test":"TestA","Elapsed":0}`,
			"slowest tests:\n    6.00s  a  TestA\n",
		},
		{
			"slowest first",
			`{"Action":"pass","Package":"a","Test":"TestA","Elapsed":1}
{"Action":"pass","Package":"a","Test":"TestA/sub","Elapsed":0.9}
{"Action":"fail","Package":"a","Test":"TestB","Elapsed":3}
{"Action":"pass","Package":"b","Test":"TestC","Elapsed":2}`,
			"slowest tests:\n    3.00s  a  TestB\n    2.00s  b  TestC\n",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			r := newReport(&out)
			if err := r.read(strings.NewReader(c.events)); err != nil {
				t.Fatal(err)
			}
			r.end()
			r.printSlowest(2)
			if out.String() != c.want {
				t.Errorf("got\n%s\nwant\n%s", out.String(), c.want)
			}
		})
	}
}
