package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

// release is the version of a release, set by the linker.
var release string

// version is the version of this program.
var version = thisBuild().Version

// build describes how a program was built.
type build struct {
	Version  string // such as v1.2.0, or v0.0.0-20261118045240-97362d4a1c21+dirty between releases
	Revision string // commit, empty if unknown
	Time     string // of the commit, empty if unknown
	Modified bool   // the sources differ from the commit
}

// thisBuild returns the build of this program.
func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return buildOf(release, info)
}

// buildOf returns the build that info describes. Only the version of a release is
// known without it.
func buildOf(release string, info *debug.BuildInfo) build {
	b := build{Version: release}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	if v := info.Main.Version; b.Version == "" && v != "(devel)" {
		b.Version = v
	}
	b.Version = cmp.Or(b.Version, "development")
	return b
}

// print prints the build, one fact per line.
func (b build) print(out io.Writer) error {
	text := fmt.Sprintln("khatm", b.Version)
	if b.Revision != "" {
		modified := ""
		if b.Modified {
			modified = ", modified"
		}
		text += fmt.Sprintf("commit %s of %s%s\n", b.Revision, b.Time, modified)
	}
	text += fmt.Sprintf("%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	_, err := io.WriteString(out, text)
	return err
}

// showVersion prints the version.
type showVersion struct{}

// Run prints the version.
func (showVersion) Run(out io.Writer) error { return thisBuild().print(out) }

// versionFlag prints the version instead of running a command.
type versionFlag bool

// BeforeReset prints the version and ends the program.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	err := thisBuild().print(app.Stdout)
	if err == nil {
		app.Exit(0)
	}
	return err
}
