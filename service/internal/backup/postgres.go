package backup

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"khatm/service/internal/database"
	"khatm/service/internal/store"
)

// dump runs pg_dump on the snapshot and writes its output to out. It omits
// comments, as load does: only the owner of an extension may set its comment,
// and the user of the database often is not the owner.
func dump(ctx context.Context, s *store.Store, kept *store.Snapshot, address string, out io.Writer) error {
	version, err := s.PostgresVersion(ctx)
	if err != nil {
		return err
	}
	program, err := postgresProgram(ctx, "pg_dump", version)
	if err != nil {
		return err
	}
	environment, err := database.PostgresEnvironment(address)
	if err != nil {
		return err
	}
	snapshot, err := kept.Export(ctx)
	if err != nil {
		return err
	}
	run := exec.CommandContext(ctx, program, "--format=custom", "--compress=1", "--no-owner", "--no-privileges", "--no-comments", "--no-password", "--snapshot="+snapshot)
	run.Env = environment
	return finished(run, func(from io.Reader) error {
		_, err := io.Copy(out, from)
		return err
	})
}

// checkDump reads a complete dump with pg_restore and checks the number of
// documents in it. version is the version of the server: pg_dump is at least as
// new, and an older pg_restore may not read its output.
func checkDump(ctx context.Context, version int, in io.Reader, want int64) error {
	program, err := postgresProgram(ctx, "pg_restore", version)
	if err != nil {
		return err
	}
	run := exec.CommandContext(ctx, program, "--data-only", "--file=-")
	run.Stdin = in
	documents := int64(0)
	err = finished(run, func(from io.Reader) error {
		documents, err = countRows(from, "invoice")
		return err
	})
	if err == nil && documents != want {
		err = fmt.Errorf("the dump contains %d documents, want %d as in the manifest", documents, want)
	}
	return err
}

// countRows counts the rows of a table in the output of pg_restore, where each
// row is a line between COPY and a line that contains only "\.".
func countRows(from io.Reader, table string) (rows int64, err error) {
	in := bufio.NewReaderSize(from, 1<<20)
	within, begun := false, true
	for {
		line, err := in.ReadSlice('\n')
		if begun {
			switch {
			case within && bytes.Equal(line, []byte("\\.\n")):
				within = false
			case within:
				rows++
			default:
				within = isCopyOf(line, table)
			}
		}
		begun = !errors.Is(err, bufio.ErrBufferFull) // false within a line longer than the buffer
		if err != nil && begun {
			if errors.Is(err, io.EOF) {
				return rows, nil
			}
			return rows, err
		}
	}
}

// isCopyOf reports whether a line starts the rows of a table, for example COPY
// public.invoice (…) FROM stdin;
func isCopyOf(line []byte, table string) bool {
	rest, is := bytes.CutPrefix(line, []byte("COPY "))
	if !is {
		return false
	}
	name, _, _ := bytes.Cut(rest, []byte(" ("))
	return bytes.HasSuffix(name, []byte("."+table))
}

// load restores a dump into an empty database in one transaction.
func load(ctx context.Context, address string, version int, in io.Reader) error {
	program, err := postgresProgram(ctx, "pg_restore", version)
	if err != nil {
		return err
	}
	environment, err := database.PostgresEnvironment(address)
	if err != nil {
		return err
	}
	database := ""
	for _, entry := range environment {
		if name, is := strings.CutPrefix(entry, "PGDATABASE="); is {
			database = name
		}
	}
	run := exec.CommandContext(ctx, program, "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-comments", "--no-password", "--dbname="+database)
	run.Env, run.Stdin = environment, in
	return finished(run, func(from io.Reader) error {
		_, err := io.Copy(io.Discard, from)
		return err
	})
}

// lowPriority is the nice value of PostgreSQL's programs.
const lowPriority = 10

// finished runs a program and passes its output to use.
func finished(run *exec.Cmd, use func(from io.Reader) error) error {
	name := filepath.Base(run.Path)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	from, err := run.StdoutPipe()
	if err != nil {
		return fmt.Errorf("run %s: %w", name, err)
	}
	if err := run.Start(); err != nil {
		return fmt.Errorf("run %s: %w", name, err)
	}
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, run.Process.Pid, lowPriority) // the server has priority
	used := use(from)
	if used != nil {
		_ = run.Process.Kill() // its output is not read any more
	}
	err = run.Wait()
	if used != nil {
		return used
	}
	if err != nil {
		return fmt.Errorf("run %s: %w: %s", name, err, strings.TrimSpace(stderr.String()))
	}
	return nil
}

// programFolders matches the folders in which Debian installs the programs of
// each version.
const programFolders = "/usr/lib/postgresql/*/bin"

// postgresProgram returns the path of a PostgreSQL program that is at least as
// new as the server. It looks on the PATH and below /usr/lib/postgresql.
func postgresProgram(ctx context.Context, name string, server int) (string, error) {
	var candidates []string
	if path, err := exec.LookPath(name); err == nil {
		candidates = append(candidates, path)
	}
	installed, _ := filepath.Glob(filepath.Join(programFolders, name)) // the pattern is valid
	slices.SortFunc(installed, func(a, b string) int { return folderVersion(b) - folderVersion(a) })
	newest := 0
	for _, path := range append(candidates, installed...) {
		version, err := programVersion(ctx, path)
		if err != nil {
			continue
		}
		if version >= server {
			return path, nil
		}
		newest = max(newest, version)
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if newest == 0 {
		return "", fmt.Errorf("%s was not found on the PATH or in %s: install PostgreSQL's client programs (Debian package postgresql-client)", name, programFolders)
	}
	return "", fmt.Errorf("%s has version %d, the server has version %d: install the client programs of version %d or newer (Debian package postgresql-client-%d)", name, newest, server, server, server)
}

func folderVersion(path string) int {
	version, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0 sorts last
	return version
}

var versionNumber = regexp.MustCompile(`\) (\d+)`)

// programVersion returns the major version of a program, for example 15 for the
// output "pg_dump (PostgreSQL) 15.13".
func programVersion(ctx context.Context, path string) (int, error) {
	run := exec.CommandContext(ctx, path, "--version")
	run.Env = append(os.Environ(), "LC_ALL=C")
	output, err := run.Output()
	if err != nil {
		return 0, err
	}
	found := versionNumber.FindSubmatch(output)
	if found == nil {
		return 0, fmt.Errorf("%s --version printed %q, want a version number", path, output)
	}
	return strconv.Atoi(string(found[1]))
}
