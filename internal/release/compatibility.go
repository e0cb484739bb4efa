package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// documents are the OpenAPI documents that programs are written against. The
// document of the web app is not among them.
var documents = []string{"service/testdata/openapi-3.0.json", "service/testdata/public-3.0.json"}

// gates compares the interfaces of the working tree with those of another revision.
type gates struct {
	base   string
	accept bool
	out    io.Writer
}

// check fails if an interface changed in a way that can break a program, unless the
// changes are accepted.
func (g *gates) check(ctx context.Context) (err error) {
	if g.base == "" {
		// git describe fails if no earlier commit has a tag.
		if g.base, err = output(ctx, nil, "git", "describe", "--abbrev=0", "--tags", "--match", "v*", "HEAD^"); err != nil {
			fmt.Fprintln(g.out, "compatibility: no release before this commit, so there is nothing to compare with")
			return nil
		}
	}
	work, err := os.MkdirTemp("", "khatm-compatibility-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if err := g.checkOut(ctx, work); err != nil {
		return err
	}
	broken, err := g.documents(ctx, work)
	if err != nil {
		return err
	}
	more, err := g.library(ctx, work)
	if err != nil {
		return err
	}
	broken += more
	switch {
	case broken == 0:
		fmt.Fprintf(g.out, "compatibility: no incompatible change since %s\n", g.base)
	case g.accept:
		fmt.Fprintf(g.out, "compatibility: %d interfaces changed incompatibly since %s; accepted\n", broken, g.base)
	default:
		return fmt.Errorf("%d interfaces changed incompatibly since %s", broken, g.base)
	}
	return nil
}

// checkOut writes the files of the base to a folder.
func (g *gates) checkOut(ctx context.Context, dir string) error {
	archive := filepath.Join(dir, "base.tar")
	if _, err := output(ctx, nil, "git", "archive", "--format=tar", "-o", archive, g.base); err != nil {
		return err
	}
	_, err := output(ctx, nil, "tar", "-xf", archive, "-C", dir)
	return err
}

// documents compares the OpenAPI documents, and returns how many changed
// incompatibly.
func (g *gates) documents(ctx context.Context, base string) (broken int, err error) {
	for _, name := range documents {
		old := filepath.Join(base, name)
		if _, err := os.Stat(old); errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(g.out, "%s: new since %s\n", name, g.base)
			continue
		}
		text, err := output(ctx, nil, tool("oasdiff", "breaking", "--format", "json", old, name)...)
		if err != nil {
			return 0, err
		}
		found, err := breaking(text)
		if err != nil {
			return 0, fmt.Errorf("oasdiff: %w", err)
		}
		broken += g.report(name, found)
	}
	return broken, nil
}

// breaking returns a line for each change in the output of oasdiff.
func breaking(text string) (string, error) {
	var changes []struct{ ID, Text, Operation, Path string }
	if err := json.Unmarshal([]byte(text), &changes); err != nil {
		return "", err
	}
	lines := ""
	for _, c := range changes {
		lines += fmt.Sprintf("- %s %s: %s (%s)\n", c.Operation, c.Path, c.Text, c.ID)
	}
	return lines, nil
}

// library compares the exported names of the packages that other programs can
// import, and returns how many packages changed incompatibly.
func (g *gates) library(ctx context.Context, base string) (broken int, err error) {
	paths, err := libraryOf(ctx, base)
	if err != nil {
		return 0, err
	}
	apidiff, err := buildTool(ctx, base, "golang.org/x/exp/cmd/apidiff")
	if err != nil {
		return 0, err
	}
	exported := filepath.Join(base, "base.export")
	for _, path := range paths {
		if _, err := outputIn(ctx, base, nil, apidiff, "-w", exported, path); err != nil {
			return 0, err
		}
		found, err := output(ctx, nil, apidiff, "-incompatible", exported, path)
		if err != nil {
			return 0, err
		}
		broken += g.report(path, found)
	}
	return broken, nil
}

// buildTool builds a tool of tools/release/go.mod, so that it can be run in another
// module.
func buildTool(ctx context.Context, dir, path string) (string, error) {
	program := filepath.Join(dir, filepath.Base(path)+".exe")
	_, err := output(ctx, nil, goCommand(), "build", "-modfile=tools/release/go.mod", "-o", program, path)
	return program, err
}

// libraryOf returns the packages of a folder that belong to the document library or
// the simulator.
func libraryOf(ctx context.Context, dir string) ([]string, error) {
	all, err := outputIn(ctx, dir, []string{"GOFLAGS=-buildvcs=false"}, goCommand(), "list", "./...")
	if err != nil {
		return nil, err
	}
	var kept []string
	for path := range strings.Lines(all) {
		path = strings.TrimSpace(path)
		_, rest, _ := strings.Cut(path, "/")
		first, _, _ := strings.Cut(rest, "/")
		switch first {
		case "", "service", "cmd", "internal", "bench", "web", "deploy":
			continue
		}
		if !strings.Contains(path, "/internal/") {
			kept = append(kept, path)
		}
	}
	return kept, nil
}

// report prints what a tool found, and returns 1 if that is anything.
func (g *gates) report(name, found string) int {
	if strings.TrimSpace(found) == "" {
		return 0
	}
	fmt.Fprintf(g.out, "%s:\n%s\n", name, found)
	return 1
}
