package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"khatm/witness"
)

// hash prints what the authority would compute as the hash of a document.
type hash struct {
	Files []string `arg:"" name:"file" help:"XML documents; - is standard input."`
}

// Run goes on after a file that cannot be read, so that one bad file among many
// does not hide the others.
func (h hash) Run(out io.Writer) error {
	var problems []error
	for _, name := range h.Files {
		text, err := hashOf(name)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if _, err := fmt.Fprintf(out, "%s  %s\n", text, name); err != nil {
			return err
		}
	}
	return errors.Join(problems...)
}

func hashOf(name string) (string, error) {
	document, err := readAll(name)
	if err != nil {
		return "", err
	}
	return witness.Hash(document)
}

// maxFile is more than the largest document that is ever read.
const maxFile = 32 << 20

func readAll(name string) ([]byte, error) {
	file := os.Stdin
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			// The name stands before the error already.
			return nil, errors.Unwrap(err)
		}
		defer opened.Close()
		file = opened
	}
	return io.ReadAll(io.LimitReader(file, maxFile))
}
