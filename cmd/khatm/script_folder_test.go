package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// folder is a data folder with its state directory, held in memory. It is made
// once and copied, because making it takes longer than most scripts.
type folder []savedFile

// savedFile is a file of a folder.
type savedFile struct {
	path string // relative to the folder
	mode fs.FileMode
	data []byte
}

// migratedFolder is a data folder named khatm-data after khatm migrate. All copies
// share one installation id.
var migratedFolder = sync.OnceValues(func() (folder, error) {
	return newFolder("migrate", "--data", "khatm-data")
})

// demoOnce is a data folder named khatm-demo after khatm demo --once.
var demoOnce = sync.OnceValues(func() (folder, error) {
	return newFolder("demo", "--once", "--addr=127.0.0.1:0", "--data=khatm-demo")
})

// newFolder runs khatm in a new folder and returns the files that it leaves there.
func newFolder(args ...string) (made folder, err error) {
	dir, err := os.MkdirTemp("", "khatm-folder-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	command := exec.Command("khatm", args...)
	command.Dir, command.Env = dir, stateIn(dir)
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("khatm %s: %w: %s", strings.Join(args, " "), err, out)
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		f := savedFile{mode: info.Mode().Perm()}
		if f.path, err = filepath.Rel(dir, path); err != nil {
			return err
		}
		f.data, err = os.ReadFile(path)
		made = append(made, f)
		return err
	})
	return made, err
}

// stateIn returns the environment of this process with the state directory in dir.
func stateIn(dir string) []string {
	return append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
}

// write copies the files into dir.
func (f folder) write(dir string) error {
	for _, one := range f {
		path := filepath.Join(dir, one.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, one.data, one.mode); err != nil {
			return err
		}
	}
	return nil
}

// file returns the file with the given path.
func (f folder) file(path string) (savedFile, error) {
	for _, one := range f {
		if one.path == path {
			return one, nil
		}
	}
	return savedFile{}, fmt.Errorf("there is no file %s", path)
}

// writes returns a script command without arguments that copies a folder into the
// folder of the script.
func writes(made func() (folder, error)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 0 {
			ts.Fatalf("the command takes no arguments")
		}
		f, err := made()
		ts.Check(err)
		ts.Check(f.write(ts.MkAbs(".")))
	}
}
