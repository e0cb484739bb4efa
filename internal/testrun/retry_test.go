package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
)

// TestRetry runs testrun on a module whose tests fail in different ways.
func TestRetry(t *testing.T) {
	if !testtool.All() {
		t.Skip("runs with make check, which alone tries again")
	}
	const unstable = `
func TestUnstable(t *testing.T) {
	if _, err := os.Stat("ran"); err != nil {
		os.WriteFile("ran", nil, 0o600)
		t.Error("the first time")
	}
}`
	program := filepath.Join(t.TempDir(), "testrun")
	if out, err := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build testrun: %v\n%s", err, out)
	}
	cases := []struct {
		name, body, retry string
		passes            bool
		want, without     string
	}{
		{"unstable", unstable, "1", true, "UNSTABLE: TestUnstable of sample failed, and passed when it ran alone", ""},
		{"without retrying", unstable, "", false, "the first time", "UNSTABLE"},
		{"always", unstable + "\nfunc TestBad(t *testing.T) { t.Error(\"each time\") }", "1", false, "TestBad of sample failed, and runs again alone", "UNSTABLE: TestBad"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeSample(t, dir, c.body)
			command := exec.Command(program, "test", "-count=1", "./...")
			command.Dir = dir
			command.Env = append(os.Environ(), "KHATM_RETRY="+c.retry, "KHATM_TEST_TIMEOUT=1m")
			out, err := command.CombinedOutput()
			if (err == nil) != c.passes {
				t.Errorf("error %v, want success: %t", err, c.passes)
			}
			if !strings.Contains(string(out), c.want) || c.without != "" && strings.Contains(string(out), c.without) {
				t.Errorf("want %q without %q, got\n%s", c.want, c.without, out)
			}
		})
	}
}

func TestFewFailures(t *testing.T) {
	const fails = `{"Action":"fail","Package":"a","Test":"TestA/x"}
{"Action":"fail","Package":"a","Test":"TestA"}
`
	cases := []struct {
		name, events string
		few          bool
	}{
		{"no failure", `{"Action":"pass","Package":"a"}`, false},
		{"a test", fails + `{"Action":"fail","Package":"a"}`, true},
		{"many tests", fails + strings.ReplaceAll(fails, "TestA", "TestB") + strings.ReplaceAll(fails, "TestA", "TestC") + strings.ReplaceAll(fails, "TestA", "TestD") + `{"Action":"fail","Package":"a"}`, false},
		{"a package without a test", `{"Action":"fail","Package":"a"}`, false},
		{"a panic", `{"Action":"output","Package":"a","Test":"TestA","Output":"panic: 1\n"}` + "\n" + fails + `{"Action":"fail","Package":"a"}`, false},
		{"a data race", `{"Action":"output","Package":"a","Test":"TestA","Output":"    testing.go:1617: race detected during execution of test\n"}` + "\n" + fails + `{"Action":"fail","Package":"a"}`, false},
		{"a build", fails + `{"Action":"fail","Package":"a"}` + "\n" + `{"Action":"build-fail","ImportPath":"b"}`, false},
		{"an interrupted package", fails + `{"Action":"fail","Package":"a"}` + "\n" + `{"Action":"output","Package":"b","Test":"TestB","Output":"half done\n"}`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newReport(&bytes.Buffer{})
			if err := r.read(strings.NewReader(c.events)); err != nil {
				t.Fatal(err)
			}
			r.end()
			if got := r.failed.few(); got != c.few {
				t.Errorf("few() = %t, want %t", got, c.few)
			}
		})
	}
}

func TestFlagsOf(t *testing.T) {
	got := flagsOf([]string{"-count=1", "-run", "^TestA$", "-race", "-run=TestB", "./a", "./b"})
	if want := []string{"-count=1", "-race"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRetryStatus checks that the worst exit status counts.
func TestRetryStatus(t *testing.T) {
	f := failures{tests: []failedTest{{"a", "TestA"}, {"b", "TestB"}}}
	var ran []string
	status := retry(f, &bytes.Buffer{}, func(pkg, tests string) int {
		ran = append(ran, pkg+" "+tests)
		return len(ran) - 1
	})
	if status != 1 || !slices.Equal(ran, []string{"a ^TestA$", "b ^TestB$"}) {
		t.Errorf("status %d after %q", status, ran)
	}
}
