package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"khatm/simulator"
)

// beside is the authority's double in the process of a server, on ports of this
// machine that nobody chose. Its state stands in a folder of the data folder,
// and so do its addresses, while it runs.
type beside struct {
	folder            string
	at                doubleAt
	protocol, control net.Listener

	double *simulator.Simulator
	stop   context.CancelFunc
	ended  chan error
}

// besideFolder is where the double beside a server keeps what it knows.
func besideFolder(data string) string { return filepath.Join(data, "authority") }

// addressFile stands in that folder.
const addressFile = "address.json"

// reserveBeside takes the ports. Whoever calls there waits until start.
func reserveBeside(data string) (*beside, error) {
	b := &beside{folder: besideFolder(data)}
	var err error
	if b.protocol, err = net.Listen("tcp", "127.0.0.1:0"); err == nil {
		b.control, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("find a port for the simulator: %w", err), b.close())
	}
	b.at = doubleAt{
		URL:     "http://" + b.protocol.Addr().String() + "/e-invoicing/simulation",
		Control: "http://" + b.control.Addr().String(),
	}
	return b, nil
}

// start has the double answer in a mood, and leaves its addresses for the
// commands. What it says of each call goes to log, if there is one. Without a
// double there is nothing to do.
func (b *beside) start(mood string, log io.Writer) (err error) {
	if b == nil {
		return nil
	}
	if mood == "" {
		mood = "polite"
	}
	plan, err := moodText(mood)
	if err != nil {
		return err
	}
	b.double, err = simulator.New(simulator.Config{State: b.folder, Sync: true, Mood: plan, Seed: rand.Uint64(), Log: log})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	b.stop, b.ended = stop, make(chan error, 1)
	go func() {
		b.ended <- serveUntil(ctx, map[net.Listener]http.Handler{b.protocol: b.double.Handler(), b.control: b.double.Control()})
	}()
	return b.at.write(b.folder)
}

// close ends the double, or gives the ports back if it never started.
func (b *beside) close() error {
	if b == nil {
		return nil
	}
	var err error
	if b.stop != nil {
		b.stop()
		err = errors.Join(<-b.ended, b.at.remove(b.folder))
	}
	for _, l := range []net.Listener{b.protocol, b.control} {
		if l != nil {
			_ = l.Close() // the second time it is closed already
		}
	}
	if b.double != nil {
		err = errors.Join(err, b.double.Close())
	}
	return err
}

// doubleAt is where a double is.
type doubleAt struct {
	URL     string `json:"authority_url"`
	Control string `json:"control_url"`
}

// write leaves the addresses, in one piece.
func (d doubleAt) write(folder string) error {
	text, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("write where the simulator is: %w", err)
	}
	return replaceFile(filepath.Join(folder, addressFile), append(text, '\n'))
}

// remove takes the addresses away, unless they are another's by now.
func (d doubleAt) remove(folder string) error {
	if kept, err := readDoubleAt(folder); err != nil || kept != d {
		return nil
	}
	return os.Remove(filepath.Join(folder, addressFile))
}

func readDoubleAt(folder string) (d doubleAt, err error) {
	text, err := os.ReadFile(filepath.Join(folder, addressFile))
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fmt.Errorf("read %s: %w", filepath.Join(folder, addressFile), err)
	}
	return d, nil
}

// findBeside finds the double that runs beside a server of a data folder. An
// address at which nobody answers was left by a process that died.
func findBeside(ctx context.Context, data string) (at doubleAt, runs bool) {
	at, err := readDoubleAt(besideFolder(data))
	if err == nil {
		_, err = at.mood(ctx)
	}
	return at, err == nil
}

// moodText is a mood as the double takes it: a name, or the plan of a file.
func moodText(mood string) (string, error) {
	if !strings.HasSuffix(mood, ".json") {
		return mood, nil
	}
	plan, err := os.ReadFile(mood)
	return string(plan), err
}

// replaceFile writes a file for this user alone, beside the old one, and puts it
// in its place, so that nobody reads half of it.
func replaceFile(path string, text []byte) error {
	next, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	_, err = next.Write(text)
	err = errors.Join(err, next.Close()) // made with mode 0600
	if err == nil {
		err = os.Rename(next.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(next.Name()))
	}
	return nil
}

// dataFolders are where a double is looked for if no folder is named: that of
// serve, and that of demo.
func dataFolders(named string) []string {
	if named != "" {
		return []string{named}
	}
	return []string{"./khatm-data", demoData}
}
