package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"khatm/internal/testtool"
)

// TestGoldenManualPage compares one page with a file, and looks at the others for
// what no page may lack.
func TestGoldenManualPage(t *testing.T) {
	app, err := kong.New(&commands{}, kong.Name("khatm"), kong.Description("Creates invoices."))
	if err != nil {
		t.Fatal(err)
	}
	pages := manualPages(app.Model.Node, build{Version: "v1.2.0", Time: "2026-11-18T04:52:40Z"})
	testtool.Golden(t, *update, filepath.Join("testdata", "khatm-clock.1"), []byte(pages["khatm-clock.1"]))
	for _, command := range app.Model.Children {
		page, written := pages["khatm-"+command.Name+".1"]
		if command.Hidden == written {
			t.Errorf("page of khatm %s: %t, hidden: %t", command.Name, written, command.Hidden)
		}
		if listed := strings.Contains(pages["khatm.1"], ".B khatm\\-"+roff(command.Name)+"(1)\n"); listed == command.Hidden {
			t.Errorf("khatm(1) lists khatm-%s: %t, hidden: %t", command.Name, listed, command.Hidden)
		}
		for _, leaf := range command.Leaves(true) {
			for _, flag := range leaf.Flags {
				if !strings.Contains(page, "\n.B "+roff(flag.String())+"\n") {
					t.Errorf("khatm-%s(1) does not describe %s of khatm %s", command.Name, flag, leaf.Path())
				}
			}
		}
	}
	if !strings.Contains(pages["khatm-serve.1"], "$KHATM_DATA") {
		t.Error("khatm-serve(1) does not name the environment variables")
	}
}

func TestManualPagesAreWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share", "man1")
	var out, stderr strings.Builder
	if code := run([]string{"man", dir}, &out, &stderr); code != 0 {
		t.Fatalf("exit code = %d, want 0: %s", code, stderr.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "khatm-serve.1")); err != nil {
		t.Error(err)
	}
	groff := testtool.Path(t, "groff")
	for _, name := range []string{"khatm.1", "khatm-serve.1", "khatm-org.1"} {
		format := exec.Command(groff, "-man", "-Tutf8", "-k", "-ww", "-z", filepath.Join(dir, name))
		if warnings, err := format.CombinedOutput(); err != nil || len(warnings) > 0 {
			t.Errorf("groff %s: %v\n%s", name, err, warnings)
		}
	}
}
