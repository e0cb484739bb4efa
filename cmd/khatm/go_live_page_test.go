package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"khatm/internal/testtool"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// shellBlocks returns the commands of a page, which are in blocks of the language sh.
func shellBlocks(page string) string {
	var all strings.Builder
	for _, block := range shellBlock.FindAllStringSubmatch(page, -1) {
		all.WriteString(block[1])
	}
	return all.String()
}

// The commands of docs/go-live.md work as they are, from an empty folder to the
// authority's simulation, for which the simulator is used. Without testtool.All only
// those of the first stage are run.
func TestGoLivePage(t *testing.T) {
	t.Parallel()
	testtool.Path(t, "curl")
	testtool.Path(t, "jq")
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "go-live.md"))
	if err != nil {
		t.Fatal(err)
	}
	first, second, found := strings.Cut(string(page), "\n## Stage 2")
	if !found {
		t.Fatal("docs/go-live.md has no stage 2")
	}
	address := unusedAddress(t)
	script, otp := "set -e\ntrap '{ kill $SERVER; wait $SERVER; } 2>/dev/null || true' EXIT\n"+shellBlocks(first), ""
	prints := map[string]int{`"status":"ok"`: 1, "\npcsid_generated\n": 1, "-000001 REPORTED\n": 1, ": everything is right\n": 1}
	if testtool.All() {
		at, stop := authorityForPage(t)
		defer stop()
		if otp, err = at.password(t.Context(), "399999999900003"); err != nil {
			t.Fatal(err)
		}
		script += "export KHATM_AUTHORITY_URL=" + at.URL + "\n" + shellBlocks(second)
		prints = map[string]int{`"status":"ok"`: 2, "\npcsid_generated\n": 2, "-000001 REPORTED\n": 2, ": everything is right\n": 3}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*patience)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-c", strings.ReplaceAll(script, "127.0.0.1:8080", address))
	shell.WaitDelay = patience
	shell.Dir = t.TempDir()
	shell.Env = append(os.Environ(), "KHATM_ADDR="+address, "KHATM_OPERATIONS=off")
	shell.Stdin = strings.NewReader(otp + "\n")
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("the commands failed: %v\n%s", err, out)
	}
	for text, want := range prints {
		if got := strings.Count(string(out), text); got != want {
			t.Errorf("the commands printed %q %d times, want %d:\n%s", text, got, want, out)
		}
	}
	pdf, err := os.ReadFile(filepath.Join(shell.Dir, "khatm-trial", "invoice.pdf"))
	if err != nil || !strings.HasPrefix(string(pdf), "%PDF-") {
		t.Errorf("invoice.pdf: %v, begins with %.20q, want a PDF", err, pdf)
	}
}

// authorityForPage starts khatm authority and returns its addresses.
func authorityForPage(t *testing.T) (at simulatorAddress, stop func()) {
	t.Helper()
	printed := &output{}
	process := exec.Command("khatm", "authority", "--addr=127.0.0.1:0", "--control=127.0.0.1:0", "--mood=polite")
	process.Stdout, process.Stderr = printed, printed
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	at.Control = printed.wait(t, `(http://\S+)/otps`)
	at.URL = printed.wait(t, `simulation +(\S+)`)
	return at, func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	}
}
