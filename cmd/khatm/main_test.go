package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"khatm/internal/testtool"
)

var update = flag.Bool("update", false, "rewrite the golden files in the test scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"khatm": main})
}

// TestGoldenScripts runs the scripts in testdata.
func TestGoldenScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"replace":    replace,
			"exit":       exit,
			"serve":      startServer,
			"stopserver": stopServer,
			"call":       call,
			"keep":       keep,
			"eventually": eventually,
			"nowhere":    nowhere,
			"tamper":     tamper,
			"postgres":   newDatabase,
			"picture":    picture,
			"simulator":  startSimulator,
			"order":      orderSimulator,
			"stamped":    stamped,
			"migrated":   writes(migratedFolder), // khatm-data, after khatm migrate
			"demo":       writes(demoOnce),       // khatm-demo, after khatm demo --once
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("GOGC", "off") // commands are short; servers do not get this variable
			env.Values[runningKey{}] = &running{}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "all" {
				return testtool.All(), nil
			}
			if name == "postgres" {
				if testServer() == "" && os.Getenv("KHATM_STRICT") == "1" {
					return false, errors.New("there is no PostgreSQL: scripts/with-postgres starts one")
				}
				return testServer() != "", nil
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
	})
}

// exit runs khatm and checks its exit code: exit CODE ARGS…
func exit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exit CODE ARGS…")
	}
	// testscript itself distinguishes only success and failure.
	code := 0
	var failure *exec.ExitError
	if err := ts.Exec("khatm", args[1:]...); errors.As(err, &failure) {
		code = failure.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// replace replaces a text in a file: replace FILE OLD NEW. It fails if the file
// does not contain the text.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

// picture writes a small PNG: picture FILE
func picture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: picture FILE")
	}
	file, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(errors.Join(png.Encode(file, image.NewGray(image.Rect(0, 0, 8, 8))), file.Close()))
}
