package web_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"khatm/internal/testtool"
)

// TestSmokeInABrowser signs in to the demo and issues an invoice in Chromium. It needs
// Node.js and the packages that make web installs; .ci/run opens all pages.
func TestSmokeInABrowser(t *testing.T) {
	t.Parallel()
	node := testtool.Path(t, "node")
	testtool.Path(t, "chromium")
	if _, err := os.Stat("node_modules/playwright-core"); err != nil {
		testtool.Missing(t, errors.New("the packages of the web app are not installed: run make web"))
	}
	program := filepath.Join(t.TempDir(), "khatm")
	// With -trimpath the packages come from the build cache, as those of the tests do.
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-w", "-o", program, "khatm/cmd/khatm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build khatm: %v\n%s", err, out)
	}
	// go test does not cache the result of a test that reads a new file.
	if _, err := os.ReadFile(program); err != nil {
		t.Fatal(err)
	}
	flow := exec.Command(node, "--test", "flows/smoke.test.mjs")
	flow.Env = append(os.Environ(), "KHATM="+program)
	if out, err := flow.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
