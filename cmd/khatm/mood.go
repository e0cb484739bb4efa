package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// mood shows or changes the mood of a running simulator.
type mood struct {
	To      string `arg:"" optional:"" name:"mood" help:"New mood: polite, moody, nod, outage, or a .json file with a plan. If left out, the current mood is shown."`
	Data    string `env:"KHATM_DATA" placeholder:"DIR" help:"Data folder of the server or demo that runs the simulator (default: ./khatm-data or ./khatm-demo, whichever is running)."`
	Control string `placeholder:"URL" help:"URL of the control API of a separate simulator on this machine, as printed by khatm authority."`
}

func (m mood) Run(t *console) error {
	ctx := context.Background()
	at, where, err := m.find(ctx)
	if err != nil {
		return err
	}
	var now moodNow
	if m.To == "" {
		now, err = at.mood(ctx)
	} else {
		now, err = m.change(ctx, at)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(t.out, now.title())
	t.say("the simulator %s", where)
	for _, line := range now.words() {
		t.say("%s", strings.ReplaceAll(line, "khatm mood", self()+" mood"))
	}
	return nil
}

func (m mood) change(ctx context.Context, at simulatorAddress) (moodNow, error) {
	text, err := moodText(m.To)
	if err != nil {
		return moodNow{}, err
	}
	now, err := at.setMood(ctx, text)
	if err != nil {
		return now, fmt.Errorf("the mood was not changed: %w", err)
	}
	return now, nil
}

// find returns the running simulator that the flags select, and where it runs. It
// fails unless there is exactly one.
func (m mood) find(ctx context.Context) (at simulatorAddress, where string, err error) {
	if m.Control != "" {
		if !isLoopback(strings.TrimPrefix(strings.TrimRight(m.Control, "/"), "http://")) {
			return at, "", fmt.Errorf("--control is %s; it must be an address on this machine, such as http://127.0.0.1:9091", m.Control)
		}
		return simulatorAddress{Control: m.Control}, "at " + m.Control, nil
	}
	var found []string
	for _, folder := range dataFolders(m.Data) {
		if one, runs := findEmbedded(ctx, folder); runs {
			at = one
			found = append(found, folder)
		}
	}
	switch len(found) {
	case 1:
		return at, "of the server on " + found[0], nil
	case 0:
		return at, "", fmt.Errorf("no server on %s runs a simulator: start khatm demo or khatm serve, give its data folder with --data, or give the control API of khatm authority with --control",
			strings.Join(dataFolders(m.Data), " or "))
	}
	return at, "", fmt.Errorf("servers on %s both run a simulator: choose one with --data", strings.Join(found, " and "))
}

// title returns the name of the mood, or "custom plan".
func (m moodNow) title() string {
	if m.Name == "" {
		return "custom plan"
	}
	return m.Name
}

// moodWords describes the named moods.
var moodWords = map[string][]string{
	"polite": {
		"Every document is validated and answered at once. Waiting documents are sent automatically when their next attempt is due.",
	},
	"moody": {
		"An ordinary day: answers are slow, and a few are lost, malformed, or report a document as a duplicate.",
		"Documents without an answer are sent again automatically, and none is accepted twice. khatm mood polite ends it.",
	},
	"nod": {
		"Every document is accepted without validation, for load tests. khatm mood polite ends it.",
	},
	"outage": {
		"The authority is unreachable: half of the calls are answered with 503, the others not at all.",
		"Invoices are still created, and wait: authority_response_status is null, and \"No response\" after a failed attempt. A standard invoice is not valid before it is cleared.",
		"They are sent again automatically until they are answered. khatm mood polite ends it.",
	},
}

// words returns the lines that describe the mood. For a custom plan they list its
// faults.
func (m moodNow) words() []string {
	if words, known := moodWords[m.Name]; known {
		return words
	}
	lines := []string{"Its faults (docs/simulator.md describes each; khatm mood polite turns them off):"}
	for _, fault := range slices.Sorted(maps.Keys(m.Plan)) {
		var setting bytes.Buffer
		if json.Compact(&setting, m.Plan[fault]) != nil {
			continue // cannot happen: it was decoded from JSON
		}
		lines = append(lines, fmt.Sprintf("  %s %s, applied %d times", fault, setting.String(), m.Struck[fault]))
	}
	return lines
}

// onlyEmbedded rejects a mood for a server that does not run a simulator.
func onlyEmbedded(mood string) error {
	if mood == "" {
		return nil
	}
	return errors.New("--mood needs the server's own simulator, which runs with --authority simulator and without --authority-url")
}

// moodCommand returns the shell command that changes the mood of the simulator of
// a data folder.
func moodCommand(data, to string) string {
	if data = filepath.Clean(data); slices.Contains([]string{"khatm-data", "khatm-demo"}, data) {
		return self() + " mood " + to
	}
	return self() + " mood " + to + " --data " + shellWord(data)
}

// self returns how this program was called, for commands that it prints.
func self() string {
	if strings.Contains(os.Args[0], "go-build") {
		return "go run ./cmd/khatm"
	}
	return shellWord(os.Args[0])
}

// plainWord matches texts that need no quotes in a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=-]+$`)

// shellWord returns a text quoted for a shell, if it needs quotes.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
