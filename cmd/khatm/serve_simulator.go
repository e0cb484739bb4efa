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
	"sync"

	"khatm/simulator"
)

// embeddedSimulator is a simulator in the process of a server, on free ports of
// the loopback interface. Its state is in a subfolder of the data folder, and so
// are its addresses while it runs. The methods of a nil embeddedSimulator do
// nothing.
type embeddedSimulator struct {
	folder            string
	at                simulatorAddress
	protocol, control net.Listener

	simulator *simulator.Simulator
	stop      context.CancelFunc
	ended     chan error
}

// embeddedFolder returns the folder for the state of a server's simulator.
func embeddedFolder(data string) string { return filepath.Join(data, "authority") }

// addressFile is the file in that folder with the addresses of a running simulator.
const addressFile = "address.json"

// reserveEmbedded listens on the ports. Requests wait until start is called.
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

// start serves the simulator with the given mood (default polite) and writes its
// addresses to a file, where commands find them. The simulator logs each call to
// log, if log is not nil.
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

// close stops the simulator, or only frees its ports if it was not started.
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
			_ = l.Close() // a stopped server has closed it already
		}
	}
	if b.simulator != nil {
		err = errors.Join(err, b.simulator.Close())
	}
	return err
}

// lateSimulator is a simulator in the process of a server that is started when the
// server needs it.
type lateSimulator struct {
	data, mood string

	mu      sync.Mutex
	running *embeddedSimulator
}

// open starts the simulator and returns its URL. If another server on the same
// folder, which only PostgreSQL allows, runs one, it returns the URL of that one.
// It must be called when the server holds the lock on the data folder.
func (l *lateSimulator) open(ctx context.Context) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running != nil {
		return l.running.at.URL, nil
	}
	if at, runs := findEmbedded(ctx, l.data); runs {
		return at.URL, nil
	}
	b, err := reserveEmbedded(l.data)
	if err != nil {
		return "", err
	}
	if err := b.start(l.mood, nil); err != nil {
		return "", errors.Join(err, b.close())
	}
	l.running = b
	return b.at.URL, nil
}

// password returns a one-time password of the simulator for a VAT number.
func (l *lateSimulator) password(ctx context.Context, vatNumber string) (string, error) {
	at, runs := findEmbedded(ctx, l.data)
	if !runs {
		return "", errors.New("the simulator of the server does not run")
	}
	return at.password(ctx, vatNumber)
}

func (l *lateSimulator) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running.close()
}

// simulatorAddress holds the addresses of a simulator.
type simulatorAddress struct {
	URL     string `json:"authority_url"`
	Control string `json:"control_url"`
}

// page returns the address of the simulator's web page.
func (a simulatorAddress) page() string { return a.Control + simulator.PagePath }

// write writes the address file atomically.
func (a simulatorAddress) write(folder string) error {
	text, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("write the addresses of the simulator: %w", err)
	}
	return replaceFile(filepath.Join(folder, addressFile), append(text, '\n'))
}

// remove removes the address file, unless another simulator has written it.
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

// findEmbedded returns the addresses of the simulator of a data folder and
// whether it is running. A crashed process can leave its addresses behind.
func findEmbedded(ctx context.Context, data string) (at simulatorAddress, runs bool) {
	at, err := readSimulatorAddress(embeddedFolder(data))
	if err == nil {
		_, err = at.mood(ctx)
	}
	return at, err == nil
}

// moodText returns a mood in the form that the simulator accepts: a name, or the
// content of a .json file.
func moodText(mood string) (string, error) {
	if !strings.HasSuffix(mood, ".json") {
		return mood, nil
	}
	plan, err := os.ReadFile(mood)
	return string(plan), err
}

// replaceFile writes a file atomically, readable by this user only.
func replaceFile(path string, text []byte) error {
	next, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	_, err = next.Write(text)
	err = errors.Join(err, next.Close()) // CreateTemp uses mode 0600
	if err == nil {
		err = os.Rename(next.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(next.Name()))
	}
	return nil
}

// dataFolders returns the folders in which to look for a simulator: the named one,
// or else the defaults of serve and demo.
func dataFolders(named string) []string {
	if named != "" {
		return []string{named}
	}
	return []string{"./khatm-data", demoData}
}
