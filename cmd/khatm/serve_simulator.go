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

// embeddedSimulator is a simulator in the process of a server, on ports of this
// machine that nobody chose. Its state stands in a folder of the data folder,
// and so do its addresses, while it runs.
type embeddedSimulator struct {
	folder            string
	at                simulatorAddress
	protocol, control net.Listener

	simulator *simulator.Simulator
	stop      context.CancelFunc
	ended     chan error
}

// embeddedFolder is where the simulator of a server keeps its state.
func embeddedFolder(data string) string { return filepath.Join(data, "authority") }

// addressFile stands in that folder.
const addressFile = "address.json"

// reserveEmbedded listens on the ports. Callers wait until start.
func reserveEmbedded(data string) (*embeddedSimulator, error) {
	b := &embeddedSimulator{folder: embeddedFolder(data)}
	var err error
	if b.protocol, err = net.Listen("tcp", "127.0.0.1:0"); err == nil {
		b.control, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("find a port for the simulator: %w", err), b.close())
	}
	b.at = simulatorAddress{
		URL:     "http://" + b.protocol.Addr().String() + "/e-invoicing/simulation",
		Control: "http://" + b.control.Addr().String(),
	}
	return b, nil
}

// start has the simulator answer in a mood, and leaves its addresses for the
// commands. What it says of each call goes to log, if there is one. Without a
// simulator there is nothing to do.
func (b *embeddedSimulator) start(mood string, log io.Writer) (err error) {
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
	b.simulator, err = simulator.New(simulator.Config{State: b.folder, Sync: true, Mood: plan, Seed: rand.Uint64(), Log: log})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	b.stop, b.ended = stop, make(chan error, 1)
	go func() {
		b.ended <- serveUntil(ctx, map[net.Listener]http.Handler{b.protocol: b.simulator.Handler(), b.control: b.simulator.Control()})
	}()
	return b.at.write(b.folder)
}

// close ends the simulator, or gives the ports back if it never started.
func (b *embeddedSimulator) close() error {
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
	if b.simulator != nil {
		err = errors.Join(err, b.simulator.Close())
	}
	return err
}

// simulatorAddress is where a simulator listens.
type simulatorAddress struct {
	URL     string `json:"authority_url"`
	Control string `json:"control_url"`
}

// write leaves the addresses, in one piece.
func (a simulatorAddress) write(folder string) error {
	text, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("write where the simulator is: %w", err)
	}
	return replaceFile(filepath.Join(folder, addressFile), append(text, '\n'))
}

// remove takes the addresses away, unless they are another's by now.
func (a simulatorAddress) remove(folder string) error {
	if kept, err := readSimulatorAddress(folder); err != nil || kept != a {
		return nil
	}
	return os.Remove(filepath.Join(folder, addressFile))
}

func readSimulatorAddress(folder string) (a simulatorAddress, err error) {
	text, err := os.ReadFile(filepath.Join(folder, addressFile))
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return a, fmt.Errorf("read %s: %w", filepath.Join(folder, addressFile), err)
	}
	return a, nil
}

// findEmbedded finds the simulator that runs with the server of a data folder. An
// address at which nobody answers was left by a process that died.
func findEmbedded(ctx context.Context, data string) (at simulatorAddress, runs bool) {
	at, err := readSimulatorAddress(embeddedFolder(data))
	if err == nil {
		_, err = at.mood(ctx)
	}
	return at, err == nil
}

// moodText is a mood as the simulator takes it: a name, or the plan of a file.
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

// dataFolders are where a simulator is looked for if no folder is named: that of
// serve, and that of demo.
func dataFolders(named string) []string {
	if named != "" {
		return []string{named}
	}
	return []string{"./khatm-data", demoData}
}
