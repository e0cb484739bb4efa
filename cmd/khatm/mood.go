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
	To      string `arg:"" optional:"" name:"mood" help:"polite, moody, nod, outage, or a plan in a .json file. Without it the mood is shown."`
	Data    string `env:"KHATM_DATA" placeholder:"DIR" help:"Data folder of the serve or demo whose simulator is meant; by itself ./khatm-data or ./khatm-demo, whichever runs."`
	Control string `placeholder:"URL" help:"The control API of a simulator elsewhere on this machine; khatm authority prints it."`
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
		return now, fmt.Errorf("the mood stays as it was: %w", err)
	}
	return now, nil
}

// find finds the one simulator that can be meant.
func (m mood) find(ctx context.Context) (at simulatorAddress, where string, err error) {
	if m.Control != "" {
		if !isLoopback(strings.TrimPrefix(strings.TrimRight(m.Control, "/"), "http://")) {
			return at, "", fmt.Errorf("--control is %s; it looks like http://127.0.0.1:9091, on this machine", m.Control)
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
		return at, "beside the server on " + found[0], nil
	case 0:
		return at, "", fmt.Errorf("no simulator runs beside a server on %s: start khatm demo or khatm serve, name its folder with --data, or say with --control where khatm authority has its control API",
			strings.Join(dataFolders(m.Data), " or "))
	}
	return at, "", fmt.Errorf("two are running, on %s: say which with --data", strings.Join(found, " and on "))
}

// title is the name, or says that there is none.
func (m moodNow) title() string {
	if m.Name == "" {
		return "a plan of its own"
	}
	return m.Name
}

// moodWords say what happens in a mood that has a name.
var moodWords = map[string][]string{
	"polite": {
		"Every document is judged and answered at once. What waits goes out by itself, each document when its next try is due.",
	},
	"moody": {
		"An ordinary day: answers are late, and a few are lost, odd, or say that a document was known already.",
		"What was not answered is sent again by itself, and nothing is accepted twice. khatm mood polite ends it.",
	},
	"nod": {
		"Documents are accepted without being judged, wrong ones too: for load tests. khatm mood polite ends it.",
	},
	"outage": {
		"Nothing reaches the authority: half of the calls are answered 503, the others not at all.",
		"Invoices are created as before and wait: authority_response_status is null, and \"No response\" once a try has failed. A standard one is not valid before it is cleared.",
		"They are sent again by themselves until they are answered. khatm mood polite ends it.",
	},
}

// words say what will happen now.
func (m moodNow) words() []string {
	if words, known := moodWords[m.Name]; known {
		return words
	}
	lines := []string{"Its knobs (docs/simulator.md says what each does; khatm mood polite turns them off):"}
	for _, knob := range slices.Sorted(maps.Keys(m.Plan)) {
		var setting bytes.Buffer
		if json.Compact(&setting, m.Plan[knob]) != nil {
			continue // it was read as JSON
		}
		lines = append(lines, fmt.Sprintf("  %s %s, struck %d times", knob, setting.String(), m.Struck[knob]))
	}
	return lines
}

// onlyEmbedded refuses a mood where the server runs no simulator.
func onlyEmbedded(mood string) error {
	if mood == "" {
		return nil
	}
	return errors.New("--mood is that of the simulator beside the server: it is there with --authority simulator and without --authority-url")
}

// moodCommand is what to type to change the mood of a data folder's simulator.
func moodCommand(data, to string) string {
	if data = filepath.Clean(data); slices.Contains([]string{"khatm-data", "khatm-demo"}, data) {
		return self() + " mood " + to
	}
	return self() + " mood " + to + " --data " + shellWord(data)
}

// self is how this program was called.
func self() string {
	if strings.Contains(os.Args[0], "go-build") {
		return "go run ./cmd/khatm"
	}
	return shellWord(os.Args[0])
}

// plainWord is what a shell takes as it stands.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=-]+$`)

// shellWord is a text as it is typed into a shell.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
