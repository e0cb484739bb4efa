package main

import (
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"
)

// patience is the timeout of every wait.
const patience = 30 * time.Second

// runningKey is the key of a script's server in its values.
type runningKey struct{}

// running is the server of a script.
type running struct{ process *exec.Cmd }

func runningOf(ts *testscript.TestScript) *running {
	s, ok := ts.Value(runningKey{}).(*running)
	if !ok {
		ts.Fatalf("the script was not set up")
	}
	return s
}

// startServer starts khatm serve in the background: serve [-terminal] ARGS… It waits
// until the server logs its address and sets $URL to that of the API. The output goes
// to serve.out, from a pseudo-terminal with -terminal; the log is appended to
// serve.log.
func startServer(ts *testscript.TestScript, neg bool, args []string) {
	s := runningOf(ts)
	if neg || s.process != nil {
		ts.Fatalf("usage: serve [-terminal] ARGS…, and only one server at a time")
	}
	onTerminal := len(args) > 0 && args[0] == "-terminal"
	out, err := os.Create(ts.MkAbs("serve.out"))
	ts.Check(err)
	defer out.Close()
	stdout := out
	if onTerminal {
		args = args[1:]
		stdout = openTerminal(ts, ts.MkAbs("serve.out"))
		defer stdout.Close()
	}
	log, err := os.OpenFile(ts.MkAbs("serve.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ts.Check(err)
	defer log.Close()
	s.process = exec.Command("khatm", append([]string{"serve", "--addr", "127.0.0.1:0", "--operations=off"}, args...)...)
	s.process.Dir, s.process.Env = ts.MkAbs("."), serverEnvironment(ts)
	s.process.Stdout, s.process.Stderr = stdout, log
	before, err := log.Stat()
	ts.Check(err)
	ts.Check(s.process.Start())
	ts.Defer(func() {
		if s.process != nil {
			_ = s.process.Process.Kill()
			_ = s.process.Wait()
		}
	})
	served := regexp.MustCompile(`"?msg"?[:=]"?serving"?[ ,]"?address"?[:=]"?([^" ]+)`)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		found := served.FindStringSubmatch(ts.ReadFile("serve.log")[before.Size():])
		if found != nil && (!onTerminal || strings.Contains(ts.ReadFile("serve.out"), "Ctrl-C")) {
			ts.Setenv("URL", "http://"+found[1]+"/v1")
			return
		}
	}
	ts.Fatalf("khatm serve did not log its address within %s:\n%s\n%s", patience, ts.ReadFile("serve.out"), ts.ReadFile("serve.log"))
}

// khatmVariables returns the names of the environment variables that khatm reads.
var khatmVariables = sync.OnceValues(func() ([]string, error) {
	parser, err := kong.New(&commands{})
	if err != nil {
		return nil, err
	}
	return knownVariables(parser.Model.Node), nil
})

// serverEnvironment returns the script's environment variables that khatm reads.
func serverEnvironment(ts *testscript.TestScript) []string {
	known, err := khatmVariables()
	ts.Check(err)
	var all []string
	for _, name := range slices.Concat(known, []string{"PATH", "HOME", "XDG_STATE_HOME", "TMPDIR", "GOCOVERDIR"}) {
		if value := ts.Getenv(name); value != "" {
			all = append(all, name+"="+value)
		}
	}
	return all
}

// stopServer stops the server with a signal and checks its exit code:
// stopserver CODE
func stopServer(ts *testscript.TestScript, neg bool, args []string) {
	s := runningOf(ts)
	if neg || len(args) != 1 || s.process == nil {
		ts.Fatalf("usage: stopserver CODE, after serve")
	}
	ts.Check(s.process.Process.Signal(syscall.SIGTERM))
	err := s.process.Wait()
	code := s.process.ProcessState.ExitCode()
	s.process = nil
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code of khatm serve = %d (%v), want %s", code, err, args[0])
	}
}

// call sends a request and prints status, some headers and the body:
// call METHOD URL [KEY [BODY]], where BODY is a file in which $NAME is replaced.
func call(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 4 {
		ts.Fatalf("usage: call METHOD URL [KEY [BODY]]")
	}
	sent := ""
	if len(args) == 4 {
		sent = os.Expand(ts.ReadFile(args[3]), ts.Getenv)
	}
	request, err := http.NewRequest(args[0], args[1], strings.NewReader(sent))
	ts.Check(err)
	if len(args) >= 3 {
		request.Header.Set("Authorization", "Bearer "+args[2])
		request.Header.Set("Content-Type", "application/json")
	}
	client := http.Client{Timeout: patience}
	answer, err := client.Do(request)
	ts.Check(err)
	defer answer.Body.Close() //nolint:errcheck // the body was read
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	text := answer.Status + "\n"
	for _, name := range []string{"Content-Type", "X-RateLimit-Limit", "X-RateLimit-Remaining"} {
		text += name + ": " + answer.Header.Get(name) + "\n"
	}
	_, err = io.WriteString(ts.Stdout(), text+"\n"+string(body)+"\n")
	ts.Check(err)
}

// keep sets a variable to the output of the last command, or to what the group of
// a pattern matches in it: keep NAME [PATTERN]
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: keep NAME [PATTERN]")
	}
	text := strings.TrimSpace(ts.ReadFile("stdout"))
	if len(args) == 2 {
		found := regexp.MustCompile(args[1]).FindStringSubmatch(text)
		if len(found) != 2 {
			ts.Fatalf("%s does not match %s", text, args[1])
		}
		text = found[1]
	}
	if text == "" || strings.Contains(text, "\n") {
		ts.Fatalf("cannot keep %q: want exactly one line", text)
	}
	ts.Setenv(args[0], text)
}

// eventually runs khatm until its output matches: eventually PATTERN ARGS…
func eventually(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: eventually PATTERN ARGS…")
	}
	pattern := regexp.MustCompile(args[0])
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		err := ts.Exec("khatm", args[1:]...)
		if err != nil && !errors.As(err, new(*exec.ExitError)) {
			ts.Fatalf("%v", err)
		}
		if pattern.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("no output within %s matched %s", patience, args[0])
}

// nowhere fails if a file below the folder of the script contains a text:
// nowhere TEXT [EXCEPT…], where EXCEPT are names of files to skip.
func nowhere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: nowhere TEXT [EXCEPT…]")
	}
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(data), args[0]) {
			for _, except := range args[1:] {
				if entry.Name() == except {
					return nil
				}
			}
			ts.Fatalf("%s contains the text", path)
		}
		return err
	}))
}
