package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"khatm/ubl"
	"khatm/witness"
)

// hash prints the hash of documents as the authority computes it.
type hash struct {
	Files []string `arg:"" name:"file" help:"XML documents; - reads standard input."`
}

// Run prints the hash of every file. It continues after a file that cannot be
// read or hashed and returns all errors at the end.
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
	if document, err = ubl.ToUTF8(document); err != nil {
		return "", err
	}
	return witness.Hash(document)
}

// maxFile is the maximum number of bytes read from a file; documents are smaller.
const maxFile = 32 << 20

func readAll(name string) ([]byte, error) {
	file := os.Stdin
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			return nil, errors.Unwrap(err) // callers add the name
		}
		defer opened.Close()
		file = opened
	}
	return io.ReadAll(io.LimitReader(file, maxFile))
}
