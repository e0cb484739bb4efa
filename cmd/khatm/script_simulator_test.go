package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// startSimulator starts khatm authority in the background: simulator ARGS… It sets
// $AUTHORITY to the URL of the simulation environment and $CONTROL to that of the
// control API. The output goes to simulator.out.
func startSimulator(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: simulator ARGS…")
	}
	out, err := os.Create(ts.MkAbs("simulator.out"))
	ts.Check(err)
	defer out.Close()
	process := exec.Command("khatm", append([]string{"authority", "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--mood", "polite"}, args...)...)
	process.Dir, process.Env = ts.MkAbs("."), []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "TMPDIR=" + ts.Getenv("TMPDIR"), "GOCOVERDIR=" + ts.Getenv("GOCOVERDIR")}
	process.Stdout, process.Stderr = out, out
	ts.Check(process.Start())
	ts.Defer(func() {
		_ = process.Process.Signal(os.Interrupt)
		_ = process.Wait()
	})
	running := regexp.MustCompile(`(?s)simulation +(\S+).* (http://\S+)/otps.*Ctrl-C`)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if found := running.FindStringSubmatch(ts.ReadFile("simulator.out")); found != nil {
			ts.Setenv("AUTHORITY", found[1])
			ts.Setenv("CONTROL", found[2])
			return
		}
	}
	ts.Fatalf("khatm authority did not print its addresses within %s:\n%s", patience, ts.ReadFile("simulator.out"))
}

// orderSimulator sends a request to the control API and prints the response:
// order METHOD PATH [BODY]
func orderSimulator(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: order METHOD PATH [BODY]")
	}
	body := strings.NewReader(strings.Join(args[2:], ""))
	request, err := http.NewRequest(args[0], ts.Getenv("CONTROL")+args[1], body)
	ts.Check(err)
	answer, err := http.DefaultClient.Do(request)
	ts.Check(err)
	defer answer.Body.Close() //nolint:errcheck // the body was read
	text, err := io.ReadAll(answer.Body)
	ts.Check(err)
	if answer.StatusCode/100 != 2 {
		ts.Fatalf("%s returned %s, want success: %s", args[1], answer.Status, text)
	}
	_, err = ts.Stdout().Write(text)
	ts.Check(err)
}
