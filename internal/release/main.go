// Command release builds the files of a release, and compares the interfaces with
// those of the previous one.
//
//	release build [-version VERSION] [-out DIR] [-targets OS/ARCH,...]
//	release compatibility [-base REVISION] [-accept]
//
// release build needs git, because it builds a commit: the files depend on the
// commit and on the version of Go, and on nothing else of the machine. The folder
// gets an archive for each system with the program, its manual pages, completions and
// the files of deploy; deb and rpm packages; a bill of materials; the section of the
// changelog; and a file with checksums.
//
// release compatibility compares the OpenAPI documents and the exported names of the
// library with those of the previous release, and fails if a program that uses them
// could break. The environment variable GO sets the go command.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	flags := flag.NewFlagSet("release "+name, flag.ContinueOnError)
	switch name {
	case "build":
		r := release{log: out}
		flags.StringVar(&r.version, "version", "", "version, such as v1.2.0 (default: the tag of the commit, or else a version made of its time and id)")
		flags.StringVar(&r.dir, "out", "dist", "folder for the files; it is deleted first")
		targets := flags.String("targets", strings.Join(allTargets, ","), "systems to build for")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		r.targets = strings.Split(*targets, ",")
		return r.build(ctx)
	case "compatibility":
		g := gates{out: out}
		flags.StringVar(&g.base, "base", "", "revision to compare with (default: the last release tag before this commit)")
		flags.BoolVar(&g.accept, "accept", false, "report differences, but do not fail")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return g.check(ctx)
	}
	return errors.New("usage: release build|compatibility [flags]; see go doc ./internal/release")
}

// goCommand returns the go command.
func goCommand() string { return cmp.Or(os.Getenv("GO"), "go") }

// tool returns the command that runs a tool of tools/release/go.mod.
func tool(name string, args ...string) []string {
	return append([]string{goCommand(), "tool", "-modfile=tools/release/go.mod", name}, args...)
}

// output runs a command and returns its standard output, without a final newline.
func output(ctx context.Context, env []string, command ...string) (string, error) {
	return outputIn(ctx, "", env, command...)
}

// outputIn is like output, in a folder.
func outputIn(ctx context.Context, dir string, env []string, command ...string) (string, error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	text, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w\n%s%s", err, text, failed.Stderr)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	return strings.TrimRight(string(text), "\n"), nil
}
