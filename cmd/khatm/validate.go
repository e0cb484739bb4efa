package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// validate checks documents as the authority would and explains how to fix them.
// It gives two verdicts: the first follows the authority's rules and verifies
// hash, signature, certificate and QR code; the second is our opinion about form.
type validate struct {
	Paths  []string  `arg:"" name:"path" help:"XML documents, or folders with XML documents."`
	JSON   bool      `help:"Print JSON, one object per line."`
	Lang   string    `enum:"en,ar" default:"en" help:"Language of the explanations: en or ar (default ${default})."`
	Now    time.Time `help:"Check as if it were this time, such as 2026-11-14T13:00:00+03:00 (default: the current time)."`
	Strict bool      `help:"Also fail (exit code 1) if a document has an unusual form, which the authority does not check."`
}

// exitCode is an error whose cause was already printed.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

const (
	someFailed     exitCode = 1 // some documents or checks failed
	someUnreadable exitCode = 2 // some documents could not be read
)

// Run checks the documents in parallel and prints the verdicts in the order of
// the files.
func (v validate) Run(out io.Writer, progress *progressLine) error {
	if v.Now.IsZero() {
		v.Now = time.Now()
	}
	files, err := documentsIn(v.Paths)
	if err != nil {
		return err
	}
	counts := map[status]int{}
	strange := 0
	for verdict := range v.judgeAll(files) {
		counts[verdict.Status]++
		if verdict.Form == unusual {
			strange++
		}
		progress.show(counts, len(files))
		if err := v.print(out, verdict); err != nil {
			return err
		}
	}
	progress.clear()
	if !v.JSON && len(files) > 1 {
		fmt.Fprintf(out, "%d documents: %d clean, %d warned, %d failed, %d unreadable; %d of unusual form\n",
			len(files), counts[clean], counts[warned], counts[failed], counts[unreadable], strange)
	}
	switch {
	case counts[unreadable] > 0:
		return someUnreadable
	case counts[failed] > 0 || v.Strict && strange > 0:
		return someFailed
	}
	return nil
}

// documentsIn returns the files among the paths, and all XML documents below the
// folders.
func documentsIn(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			files = append(files, path) // judgeFile reports a read error
			continue
		}
		err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && strings.EqualFold(filepath.Ext(name), ".xml") {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no XML document in %s", strings.Join(paths, ", "))
	}
	return files, nil
}

// judgeAll checks the files in parallel and yields the verdicts in their order.
func (v validate) judgeAll(files []string) func(yield func(verdict) bool) {
	return func(yield func(verdict) bool) {
		done := make([]chan verdict, len(files))
		for i := range done {
			done[i] = make(chan verdict, 1)
		}
		next := make(chan int)
		stop := make(chan struct{})
		var workers sync.WaitGroup
		defer workers.Wait()
		defer close(stop)
		for range runtime.GOMAXPROCS(0) {
			workers.Go(func() {
				for i := range next {
					done[i] <- v.judgeFile(files[i])
				}
			})
		}
		workers.Go(func() {
			defer close(next)
			for i := range files {
				select {
				case next <- i:
				case <-stop:
					return
				}
			}
		})
		for i := range files {
			if !yield(<-done[i]) {
				return
			}
		}
	}
}

func (v validate) judgeFile(name string) verdict {
	document, err := readAll(name)
	if err != nil {
		return verdict{File: name, Status: unreadable, Findings: unread(err)}
	}
	status, findings := judge(document, v.Now, v.Lang)
	return verdict{name, status, formOf(status, findings), findings}
}

func (v validate) print(out io.Writer, verdict verdict) error {
	if v.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(verdict)
	}
	return explain(out, withoutRepeats(verdict, v.Lang), v.Lang)
}
