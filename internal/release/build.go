package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// allTargets are the systems that a release supports.
var allTargets = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// release is a release of a commit.
type release struct {
	version string
	dir     string // for the files
	targets []string
	log     io.Writer

	commit string
	time   time.Time // of the commit
	work   string    // folder for intermediate files
}

// build writes all files of the release.
func (r *release) build(ctx context.Context) (err error) {
	if err := r.describe(ctx); err != nil {
		return err
	}
	notes, err := r.notes()
	if err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "khatm-release-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.work)) }()
	if err := errors.Join(os.RemoveAll(r.dir), os.MkdirAll(r.dir, 0o755)); err != nil {
		return err
	}
	fmt.Fprintf(r.log, "khatm %s, commit %s of %s\n", r.version, r.commit, r.time.Format(time.RFC3339))
	if err := r.compileAll(ctx); err != nil {
		return err
	}
	if err := r.extras(ctx); err != nil {
		return err
	}
	for _, target := range r.targets {
		if err := r.archive(target); err != nil {
			return fmt.Errorf("archive for %s: %w", target, err)
		}
		if err := r.packages(ctx, target); err != nil {
			return fmt.Errorf("packages for %s: %w", target, err)
		}
	}
	if err := r.writeBill(); err != nil {
		return fmt.Errorf("bill of materials: %w", err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, r.file(".md")), []byte(notes), 0o644); err != nil {
		return err
	}
	return writeChecksums(r.dir, r.log)
}

// file returns the name of a file of the release.
func (r *release) file(rest string) string { return "khatm-" + r.version + rest }

var validVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// describe reads the commit and determines the version. A version can be given only
// for a commit without changes, because the files say that they are built from it.
func (r *release) describe(ctx context.Context) error {
	about, err := output(ctx, nil, "git", "show", "-s", "--format=%H %ct", "HEAD")
	if err != nil {
		return err
	}
	commit, seconds, _ := strings.Cut(about, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	r.commit, r.time = commit, time.Unix(unix, 0).UTC()
	changes, err := output(ctx, nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if r.version == "" && changes == "" {
		r.version, _ = output(ctx, nil, "git", "describe", "--exact-match", "--tags", "--match", "v*", "HEAD") // fails without a tag
	}
	if r.version == "" {
		r.version = "v0.0.0-" + r.time.Format("20060102150405") + "-" + commit[:12]
		return nil
	}
	if !validVersion.MatchString(r.version) {
		return fmt.Errorf("the version is %q; it must look like v1.2.0 or v1.2.0-rc.1", r.version)
	}
	if changes != "" {
		return fmt.Errorf("commit the changes before you build %s:\n%s", r.version, changes)
	}
	return nil
}

// isRelease reports whether the version is that of a release, and not of a commit
// between two.
func (r *release) isRelease() bool { return !strings.HasPrefix(r.version, "v0.0.0-") }

// compileAll builds the program for all targets, and for this machine.
func (r *release) compileAll(ctx context.Context) error {
	for _, target := range r.targets {
		if err := r.compile(ctx, target); err != nil {
			return err
		}
	}
	here := runtime.GOOS + "/" + runtime.GOARCH
	if _, err := os.Stat(r.program(here)); err == nil {
		return nil
	}
	return r.compile(ctx, here)
}

// program returns the path of the program for a target.
func (r *release) program(target string) string {
	name := "khatm"
	if strings.HasPrefix(target, "windows/") {
		name += ".exe"
	}
	return filepath.Join(r.work, strings.ReplaceAll(target, "/", "-"), name)
}

// compile builds the program for a target. The settings that change the result are
// all given here.
func (r *release) compile(ctx context.Context, target string) error {
	system, processor, ok := strings.Cut(target, "/")
	if !ok {
		return fmt.Errorf("the target is %q; it must look like linux/amd64", target)
	}
	env := []string{
		"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + processor, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off",
	}
	_, err := output(ctx, env, goCommand(), "build", "-trimpath", "-buildvcs=true",
		"-ldflags=-s -w -buildid= -X main.release="+r.version, "-o", r.program(target), "./cmd/khatm")
	if err != nil {
		return err
	}
	info, err := os.Stat(r.program(target))
	if err != nil {
		return err
	}
	fmt.Fprintf(r.log, "%-14s %5.1f MB\n", target, float64(info.Size())/1e6)
	return nil
}

// extras writes the manual pages and the completions, which the program prints.
func (r *release) extras(ctx context.Context) error {
	here := r.program(runtime.GOOS + "/" + runtime.GOARCH)
	if _, err := output(ctx, nil, here, "man", filepath.Join(r.work, "man")); err != nil {
		return err
	}
	dir := filepath.Join(r.work, "completion")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for shell, name := range map[string]string{"bash": "khatm", "zsh": "_khatm", "fish": "khatm.fish"} {
		script, err := output(ctx, nil, here, "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}
